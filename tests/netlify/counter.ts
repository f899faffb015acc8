/**
 * The whole way of a payment in one process and on one clock: the functions' own code, the real SQL,
 * and the emulators without an address.
 */
import { HttpError } from '../../netlify/lib/http.ts';
import { openPayPal } from '../../netlify/lib/paypal.ts';
import type { Ports, RequestedOrder } from '../../netlify/lib/payments.ts';
import { openStripe } from '../../netlify/lib/stripe.ts';
import { takePayPalWebhook, takeStripeWebhook } from '../../netlify/lib/webhooks.ts';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { LocalStripe } from '../../netlify/local/stripe/stripe.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { seeded } from '../random.ts';
import { callIn, OrderDesk, HOME } from '../supabase/desk.ts';

const SITE = 'http://localhost:4173';

export class Counter {
  readonly desk: OrderDesk;
  readonly ports: Ports;
  readonly stripe: LocalStripe;
  readonly paypal: LocalPayPal;
  /** What the shop told its people. */
  readonly log: string[] = [];
  /** Whether the providers' events are lost. */
  dropsWebhooks = false;
  /** Null keeps who placed a paid order. */
  retentionDays: number | null = null;

  constructor(backend: Backend, user: string) {
    this.desk = new OrderDesk(backend, user);
    const now = () => this.desk.now.getTime();
    const random = seeded(1);
    const webhook = (take: (request: Request) => Promise<void>) => ({
      url: `${SITE}/webhook`,
      drop: () => this.dropsWebhooks,
      send: (request: Request) => answerOf(take(request)),
    });
    const stripe = new LocalStripe({
      now,
      random,
      webhook: webhook(async (request) => {
        const body = await request.text();
        await takeStripeWebhook(this.ports, request.headers, body, stripe.webhookSecret);
      }),
    });
    const paypal = new LocalPayPal({
      now,
      random,
      webhook: webhook(async (request) => {
        const body = await request.text();
        await takePayPalWebhook(this.ports, request.headers, body, paypal.webhookId);
      }),
    });
    [this.stripe, this.paypal] = [stripe, paypal];
    const wallet = openPayPal(
      {
        clientId: paypal.clientId,
        clientSecret: paypal.clientSecret,
        mode: 'sandbox',
        apiUrl: 'http://127.0.0.1:1',
      },
      { now, fetch: (input, init) => paypal.handle(new Request(input, init)) },
    );
    const cards = openStripe(
      { secretKey: stripe.secretKey, mode: 'sandbox', apiUrl: null },
      { retries: 0, fetch: (input, init) => stripe.handle(new Request(input, init)) },
    );
    this.ports = {
      call: callIn(backend),
      cards: () => ({ stripe: cards, mode: 'sandbox' }),
      wallet: () => wallet,
      siteUrl: () => SITE,
      retentionDays: () => this.retentionDays,
      now: () => this.desk.now,
      pause: async () => undefined,
      log: (line) => void this.log.push(line),
    };
  }

  /** Until every webhook that was under way has been answered. */
  async idle(): Promise<void> {
    await Promise.all([this.stripe.webhooks.idle(), this.paypal.webhooks.idle()]);
  }

  wants(
    lines: Readonly<Record<number, number>>,
    more: Partial<RequestedOrder> = {},
  ): RequestedOrder {
    return {
      userId: this.desk.user,
      email: 'ada@weft.test',
      orderId: null,
      lines: Object.entries(lines).map(([id, quantity]) => ({ product_id: Number(id), quantity })),
      address: HOME,
      shownTotal: null,
      again: false,
      ...more,
    };
  }
}

async function answerOf(work: Promise<void>): Promise<Response> {
  try {
    await work;
    return new Response(null, { status: 200 });
  } catch (thrown) {
    const status = thrown instanceof HttpError ? thrown.status : 500;
    return new Response(null, { status });
  }
}
