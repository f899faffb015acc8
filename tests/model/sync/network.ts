/**
 * The network between tabs and the server. The fate of a request is drawn when it is sent; time
 * passes on the way.
 */
import type { Chance } from '../kit/chance.ts';
import type { Environment } from './environment.ts';
import { FALSE_ANSWERS, FATES, nameOf, ODDS, type Reply } from './fates.ts';
import type { Gateway, ShopRequest } from './gateway.ts';
import { SHOP_URL } from './page-bundle.ts';
import { SimulatedResponse } from './page-host.ts';
import type { Resends } from './resends.ts';
import type { Tab } from './tab.ts';

interface Hearing {
  readonly answer: (reply: Reply) => void;
  readonly fail: () => void;
}

export class Network {
  #environment: Environment;
  #chance: Chance;
  #gateway: Gateway;
  #resends: Resends;
  /** Requests and answers on their way. */
  underway = 0;
  readonly counts = new Map<string, number>();

  constructor(environment: Environment, chance: Chance, gateway: Gateway, resends: Resends) {
    this.#environment = environment;
    this.#resends = resends;
    this.#chance = chance;
    this.#gateway = gateway;
  }

  /** `fetch` as one tab has it. */
  fetchFor(tab: Tab): typeof globalThis.fetch {
    return (input, init) => {
      // The page gives text: an address, which may be relative to the shop's, and JSON.
      const path = new URL(input as string, SHOP_URL).href.slice(SHOP_URL.length + 1);
      const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length);
      const body = JSON.parse((init?.body as string | undefined) ?? '{}') as ShopRequest['body'];
      return new Promise((resolve, reject) => {
        // A tab that is gone sends nothing and hears nothing.
        if (tab.isDead) return;
        let isOver = false;
        const hear = (act: () => void) => {
          const inTab = () => {
            tab.taskBegins();
            if (tab.isDead || isOver) return;
            isOver = true;
            act();
          };
          this.#later(0, inTab, tab);
        };
        const failed = (kind: string) => tab.phone.failures.note(`${nameOfPath(path)}: ${kind}`);
        const { signal } = init ?? {};
        const giveUp = () => {
          if (isOver || tab.isDead) return;
          isOver = true;
          if ((signal?.reason as Error | undefined)?.name === 'TimeoutError') failed('no answer');
          reject(signal?.reason as Error);
        };
        if (signal?.aborted) return giveUp();
        signal?.addEventListener('abort', giveUp);
        const sent: ShopRequest = { path, bearer: bearer ?? null, body };
        this.#send(tab, sent, {
          answer: (reply) =>
            hear(() => {
              const isGood = reply.status < 300 && reply.body !== null && !reply.isFalse;
              if (isGood) this.#resends.answered(tab, sent);
              else failed(String(reply.status));
              resolve(new SimulatedResponse(reply.body, reply) as unknown as Response);
            }),
          fail: () =>
            hear(() => {
              failed('no network');
              reject(new TypeError('Failed to fetch'));
            }),
        });
      });
    };
  }

  #send(tab: Tab, sent: ShopRequest, { answer, fail }: Hearing): void {
    const { path } = sent;
    const { verdicts } = this.#environment;
    const { weather } = tab.phone;
    const chance = this.#chance;
    const name = nameOfPath(path);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    tab.phone.person.checkRequest(tab, sent);
    const fate = chance.weighted(ODDS[weather]);
    verdicts.say(`  ${tab.name} → ${name} ${brief(sent.body)}`);
    if (weather === 'offline') {
      verdicts.fault('no network');
      this.#later(chance.between(1, 30), fail);
      return;
    }
    if (fate !== 'arrives') verdicts.fault(weather === 'lossy' ? `lossy line: ${fate}` : fate);
    FATES[fate]({
      chance,
      trip: () => chance.between(10, weather === 'bad' ? 2500 : 150),
      arrive: (ms, then = () => undefined, stumbleAt = 0) =>
        this.#later(ms, async () => then(await this.#gateway.serve(sent, stumbleAt))),
      reply: (ms) => (given) => this.#later(ms, () => answer(given)),
      answer,
      fail: (ms) => this.#later(ms, fail),
      falseAnswer: () => this.#falseAnswer(),
    });
  }

  #falseAnswer(): Reply {
    const reply = this.#chance.pick(FALSE_ANSWERS);
    this.#environment.verdicts.fault(`false answer: ${nameOf(reply)}`);
    return reply;
  }

  #later(ms: number, run: () => void | Promise<void>, tab: Tab | null = null): void {
    this.underway += 1;
    const arrive = async () => {
      this.underway -= 1;
      await run();
    };
    this.#environment.clock.after(ms, arrive, tab);
  }
}

function nameOfPath(path: string): string {
  return path.replace(/^((rest|auth)\/v1|\.netlify)\/(rpc\/|functions\/)?/, '').replace(/\?.*/, '');
}

function brief(body: ShopRequest['body']): string {
  const changes = body['p_changes'];
  const pending = body['p_pending'];
  if (Array.isArray(changes)) return `${changes.length} changes`;
  return Array.isArray(pending) ? `${pending.length} pending` : '';
}
