/** What the tests of both emulators share: a receiver of webhooks, and a clock that only the tests move. */
import { SEED, seeded } from '../random.ts';
import { simulatedTime } from '../simulated-time.ts';

interface ReceivedWebhook {
  readonly body: string;
  readonly headers: Headers;
}

/** Stands for the shop's webhook functions: records each request. */
class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];

  readonly send = async (request: Request): Promise<Response> => {
    this.received.push({ body: await request.text(), headers: request.headers });
    return new Response(null, { status: 200 });
  };

  /** The parsed bodies. */
  get events(): readonly Record<string, unknown>[] {
    return this.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }
}

export const HOUR_MS = 60 * 60_000;

/** A receiver, and options for an emulator that sends its webhooks there, on a clock that the test moves. */
export function openScene(url: string) {
  const clock = simulatedTime(seeded(SEED), Date.UTC(2026, 10, 21, 12));
  const receiver = new WebhookReceiver();
  const webhook = { url, send: receiver.send };
  return { clock, receiver, options: { now: clock.now, random: clock.random, webhook } };
}
