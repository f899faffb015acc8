/**
 * The network between tabs and the server. What becomes of a request is drawn when it is sent: it
 * may be lost, come twice or far too late, and so may its answer. Time passes on the way.
 */
import type { AuthServer } from './auth-server.ts';
import type { Chance } from './chance.ts';
import { statusOf } from './server.ts';
import { SHOP_URL, type Tab } from './tab.ts';
import type { World } from './world.ts';

export type Weather = 'good' | 'offline' | 'bad';

/** How the auth service feels: `busy` refuses for now, `away` answers with errors. */
export type AuthMood = 'good' | 'busy' | 'away';

interface Sent {
  readonly tab: Tab;
  readonly path: string;
  readonly bearer: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

type Fate =
  | 'arrives'
  | 'request lost'
  | 'request refused by the network'
  | 'answer lost'
  | 'answer cut off'
  | 'request duplicated'
  | 'request late'
  | 'answer late'
  | 'error 5xx before the server'
  | 'error 5xx after the server'
  | 'page of a captive portal'
  | 'server fails half-way';

const BAD: readonly (readonly [number, Fate])[] = [
  [22, 'arrives'],
  [6, 'request lost'],
  [4, 'request refused by the network'],
  [8, 'answer lost'],
  [4, 'answer cut off'],
  [6, 'request duplicated'],
  [7, 'request late'],
  [9, 'answer late'],
  [3, 'error 5xx before the server'],
  [3, 'error 5xx after the server'],
  [3, 'page of a captive portal'],
  [4, 'server fails half-way'],
];

const PORTAL: Reply = { status: 200, body: '<html>Welcome to the train</html>' };
const BAD_GATEWAY: Reply = { status: 502, body: '<html>Bad Gateway</html>' };
const REFUSED_FOR_NOW = [
  { status: 429, body: '{"code":429,"error_code":"over_request_rate_limit","msg":"slow down"}' },
  { status: 500, body: '{"code":500,"error_code":"unexpected_failure","msg":"database"}' },
  { status: 503, body: '<html>Service Unavailable</html>' },
  { status: 403, body: '<html>Forbidden</html>' },
  { status: 200, body: '{}' },
] as const;

export class Network {
  #world: World;
  #chance: Chance;
  #auth: AuthServer;
  authMood: AuthMood = 'good';
  /** Requests and answers on their way. */
  underway = 0;
  readonly counts = new Map<string, number>();

  constructor(world: World, chance: Chance, auth: AuthServer) {
    this.#world = world;
    this.#chance = chance;
    this.#auth = auth;
  }

  /** `fetch` as one tab has it. */
  fetchFor(tab: Tab): typeof globalThis.fetch {
    return (input, init) => {
      // The engine gives text: an address, and JSON.
      const path = (input as string).slice(SHOP_URL.length + 1);
      const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length);
      const body = JSON.parse(init?.body as string) as Sent['body'];
      return new Promise((resolve, reject) => {
        // A tab that is gone sends nothing and hears nothing.
        if (tab.isDead) return;
        const hear = (act: () => void) => {
          this.#later(
            0,
            () => {
              tab.taskBegins();
              if (!tab.isDead) act();
            },
            tab,
          );
        };
        const sent: Sent = { tab, path, bearer: bearer ?? null, body };
        const { signal } = init ?? {};
        const giveUp = () => reject(signal?.reason as Error);
        if (signal?.aborted) return giveUp();
        signal?.addEventListener('abort', giveUp);
        this.#send(
          sent,
          (reply) => hear(() => resolve(responseOf(reply))),
          () => hear(() => reject(new TypeError('Failed to fetch'))),
        );
      });
    };
  }

  #send(sent: Sent, answer: (reply: Reply | 'cut') => void, fail: () => void): void {
    const { tab, path } = sent;
    const { weather } = tab.phone;
    this.counts.set(path, (this.counts.get(path) ?? 0) + 1);
    this.#world.checkRequest(sent, this.#auth.ownerOf(sent.bearer ?? ''));
    const fate = weather === 'bad' ? this.#chance.weighted(BAD) : 'arrives';
    this.#world.verdicts.say(`  ${tab.name} → ${path} ${brief(sent.body)}`);
    const trip = () => this.#chance.between(10, weather === 'bad' ? 2500 : 150);
    if (weather === 'offline') {
      this.#world.verdicts.fault('no network');
      this.#later(this.#chance.between(1, 30), fail);
      return;
    }
    if (fate !== 'arrives') this.#world.verdicts.fault(fate);
    const act = (ms: number, then: (reply: Reply) => void, stumbleAt = 0) =>
      this.#later(ms, async () => then(await this.#serve(sent, stumbleAt)));
    const reply = (ms: number) => (given: Reply | 'cut') => this.#later(ms, () => answer(given));
    const failSometime = () => {
      if (this.#chance.happens(0.5)) this.#later(trip(), fail);
    };
    switch (fate) {
      case 'arrives':
        act(trip(), reply(trip()));
        break;
      case 'request lost':
        break;
      case 'request refused by the network':
        this.#later(trip(), fail);
        break;
      case 'answer lost':
        act(trip(), failSometime);
        break;
      case 'answer cut off':
        act(trip(), () => answer('cut'));
        break;
      case 'request duplicated':
        act(trip(), reply(trip()));
        act(this.#chance.between(10, 40_000), () => undefined);
        break;
      case 'request late':
        act(this.#chance.between(2000, 60_000), () => undefined);
        failSometime();
        break;
      case 'answer late':
        act(trip(), reply(this.#chance.between(3000, 15_000)));
        break;
      case 'error 5xx before the server':
        reply(trip())(BAD_GATEWAY);
        break;
      case 'error 5xx after the server':
        act(trip(), () => reply(trip())(BAD_GATEWAY));
        break;
      case 'page of a captive portal':
        reply(trip())(PORTAL);
        break;
      case 'server fails half-way':
        act(trip(), reply(trip()), this.#chance.between(1, 12));
        break;
    }
  }

  #later(ms: number, run: () => void | Promise<void>, tab: Tab | null = null): void {
    this.underway += 1;
    const arrive = async () => {
      this.underway -= 1;
      await run();
    };
    this.#world.clock.after(ms, arrive, tab);
  }

  async #serve({ path, bearer, body }: Sent, stumbleAt: number): Promise<Reply> {
    const { clock, verdicts } = this.#world;
    if (path.startsWith('auth/')) return this.#refresh(String(body['refresh_token']));
    const token = bearer === null ? null : this.#auth.read(bearer, clock.nowMs);
    if (token?.kind === 'expired') {
      verdicts.fault('token expired');
      return errorOf(401, 'PGRST303', 'JWT expired');
    }
    if (token?.kind === 'unknown') return errorOf(401, 'PGRST301', 'JWSError');
    const name = path.slice('rest/v1/'.length);
    const uid = token?.uid ?? null;
    const served = await this.#world.serve(uid, name, body, stumbleAt);
    if (served.ok) return { status: 200, body: JSON.stringify(served.result) };
    if (stumbleAt > 0) verdicts.say(`  the server stumbled: ${served.code}`);
    return errorOf(statusOf(served.code, token !== null), served.code, served.message);
  }

  #refresh(refreshToken: string): Reply {
    const { clock, verdicts } = this.#world;
    if (this.authMood !== 'good') {
      verdicts.fault('refresh refused for now');
      return this.authMood === 'away' ? BAD_GATEWAY : this.#chance.pick(REFUSED_FOR_NOW);
    }
    const reply = this.#auth.refresh(refreshToken, clock.nowMs);
    if (reply.status !== 200) verdicts.fault('refresh refused for good');
    return reply;
  }
}

/** As much of a Response as the engine reads; a real one would settle outside simulated time. */
function responseOf(reply: Reply | 'cut'): Response {
  const { status, body } = reply === 'cut' ? { status: 200, body: '' } : reply;
  const text = () =>
    reply === 'cut' ? Promise.reject(new TypeError('terminated')) : Promise.resolve(body);
  const json = async (): Promise<unknown> => JSON.parse(await text());
  return { ok: status >= 200 && status < 300, status, text, json } as unknown as Response;
}

function errorOf(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ code, message, details: null, hint: null }) };
}

function brief(body: Sent['body']): string {
  const changes = body['p_changes'];
  const pending = body['p_pending'];
  if (Array.isArray(changes)) return `${changes.length} changes`;
  return Array.isArray(pending) ? `${pending.length} pending` : '';
}
