/**
 * The network between tabs and the server: `fetch` of each tab. What happens to a request (fates.ts) is
 * drawn when the tab sends it; requests and answers take simulated time.
 */
import type { Chance } from '../kit/chance.ts';
import type { Environment } from './environment.ts';
import { FATES, ODDS, type Reply } from './fates.ts';
import type { Gateway, ShopRequest } from './gateway.ts';
import { SHOP_URL } from './page-bundle.ts';
import { SimulatedResponse } from './page-host.ts';
import type { Resends } from './resends.ts';
import type { Tab } from './tab.ts';

/** The status of an answer about a version of the catalogue that is not the newest any more. */
const GONE = 410;

/** How a request ends in its tab. */
interface Ending {
  readonly answer: (reply: Reply) => void;
  /** With a network error. */
  readonly fail: () => void;
}

export class Network {
  #environment: Environment;
  #chance: Chance;
  #gateway: Gateway;
  #resends: Resends;
  /** How many requests and answers are on their way. */
  inTransit = 0;
  /** How many requests tabs have sent, by the name of the function. */
  readonly counts = new Map<string, number>();

  constructor(environment: Environment, chance: Chance, gateway: Gateway, resends: Resends) {
    this.#environment = environment;
    this.#resends = resends;
    this.#chance = chance;
    this.#gateway = gateway;
  }

  /** `fetch` of one tab. */
  fetchFor(tab: Tab): typeof globalThis.fetch {
    return (input, init) => {
      // The page passes two texts: an address, which may be relative to the shop's, and JSON.
      const path = new URL(input as string, SHOP_URL).href.slice(SHOP_URL.length + 1);
      const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length);
      const body = JSON.parse((init?.body as string | undefined) ?? '{}') as ShopRequest['body'];
      return new Promise((resolve, reject) => {
        // A closed tab sends nothing, and its promises never settle.
        if (tab.isDead) return;
        let hasEnded = false;
        const endInTab = (end: () => void) => {
          const run = () => {
            tab.taskBegins();
            if (tab.isDead || hasEnded) return;
            hasEnded = true;
            end();
          };
          this.#later(0, run, tab);
        };
        const countFailure = (kind: string) => {
          // The shop limits the failing requests that it repeats by itself, not logins that a user sends again.
          // It asks again at once about a version of the catalogue that is gone.
          if (path.includes('grant_type=password') || kind === String(GONE)) return;
          tab.phone.failedRequests.add(`${nameOfPath(path)}: ${kind}`);
        };
        const { signal } = init ?? {};
        const abort = () => {
          if (hasEnded || tab.isDead) return;
          hasEnded = true;
          const reason = signal?.reason as Error | undefined;
          if (reason?.name === 'TimeoutError') countFailure('no answer');
          reject(reason);
        };
        if (signal?.aborted) return abort();
        signal?.addEventListener('abort', abort);
        const sent: ShopRequest = { path, bearer: bearer ?? null, body };
        this.#send(tab, sent, {
          answer: (reply) =>
            endInTab(() => {
              const isGood = reply.status < 300 && reply.body !== null && !reply.isFaulty;
              if (isGood && isRenewal(sent)) tab.renewedTokens.add(sent.body['refresh_token']);
              if (isGood) this.#resends.addAnswer(tab, sent);
              else countFailure(String(reply.status));
              resolve(new SimulatedResponse(reply.body, reply) as unknown as Response);
            }),
          fail: () =>
            endInTab(() => {
              countFailure('no network');
              reject(new TypeError('Failed to fetch'));
            }),
        });
      });
    };
  }

  #send(tab: Tab, sent: ShopRequest, { answer, fail }: Ending): void {
    const { path } = sent;
    const { verdicts } = this.#environment;
    const { networkState } = tab.phone;
    const chance = this.#chance;
    const name = nameOfPath(path);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    tab.signedIn.checkRequest(tab, sent);
    if (isRenewal(sent) && tab.renewedTokens.has(sent.body['refresh_token'])) {
      verdicts.break(9, `${tab.name} renews a session again that it has renewed`);
    }
    const fate = chance.weighted(ODDS[networkState]);
    verdicts.say(`  ${tab.name} → ${name} ${summaryOf(sent.body)}`);
    if (networkState === 'offline') {
      verdicts.fault('no network');
      this.#later(chance.between(1, 30), fail);
      return;
    }
    if (fate !== 'arrives')
      verdicts.fault(networkState === 'lossy' ? `lossy network: ${fate}` : fate);
    FATES[fate]({
      chance,
      drawTripMs: () => chance.between(10, networkState === 'bad' ? 2500 : 150),
      arriveAfter: (ms, then = () => undefined, failAtRow = 0) =>
        this.#later(ms, async () => then(await this.#gateway.serve(sent, failAtRow))),
      answerAfter: (ms) => (reply) => this.#later(ms, () => answer(reply)),
      answerNow: answer,
      failAfter: (ms) => this.#later(ms, fail),
    });
  }

  #later(ms: number, run: () => void | Promise<void>, tab: Tab | null = null): void {
    this.inTransit += 1;
    const arrive = async () => {
      this.inTransit -= 1;
      await run();
    };
    this.#environment.clock.after(ms, arrive, tab);
  }
}

function isRenewal({ path }: ShopRequest): boolean {
  return path.includes('grant_type=refresh_token');
}

/** Of `rest/v1/rpc/push?…` the name `push`. */
function nameOfPath(path: string): string {
  const name = path.replace(/^((rest|auth)\/v1|\.netlify)\/(rpc\/|functions\/)?/, '');
  return name.replace(/\?.*/, '').replace(/^(catalogue\/\w+).*/, '$1');
}

/** How many changes a request sends or asks about, for the log. */
function summaryOf(body: ShopRequest['body']): string {
  const changes = body['p_changes'];
  const pending = body['p_pending'];
  if (Array.isArray(changes)) return `${changes.length} changes`;
  return Array.isArray(pending) ? `${pending.length} pending` : '';
}
