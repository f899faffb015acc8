/** The server's end of the network: the auth service, and the REST service before the database. */
import { CATALOGUE_TAG } from '../../../netlify/lib/catalogue-cache.ts';
import { Cdn } from '../../../netlify/local/cdn.ts';
import { columnsOf } from '../../../src/domain/product-columns.ts';
import type { Chance } from '../kit/chance.ts';
import type { Environment } from './environment.ts';
import { BAD_GATEWAY, errorOf, type Reply } from './fates.ts';
import { SHOP_URL } from './page-bundle.ts';
import type { Served } from './server.ts';

/** The auth service: `busy` renews no session for now, `down` answers 502. */
export type AuthHealth = 'good' | 'busy' | 'down';

/**
 * The REST service: `rejecting tokens` answers that a good token is bad; `endless catalogue` always answers
 * that the catalogue has more pages.
 */
export type RestHealth = 'good' | 'rejecting tokens' | 'endless catalogue';

/** Answers after which a session is still good, and its renewal must be tried again. */
const RENEWAL_FAILURES = [
  { status: 429, body: '{"code":429,"error_code":"over_request_rate_limit","msg":"slow down"}' },
  { status: 500, body: '{"code":500,"error_code":"unexpected_failure","msg":"database"}' },
  { status: 503, body: '<html>Service Unavailable</html>' },
  { status: 403, body: '<html>Forbidden</html>' },
  { status: 200, body: '{}', isFaulty: true },
] as const;

const TOKEN_REJECTIONS = [
  errorOf(401, 'PGRST301', 'JWSError'),
  errorOf(500, 'PGRST300', 'Server lacks JWT secret'),
  errorOf(403, '42501', 'permission denied'),
];

/** A request of a page to the shop's backend. */
export interface ShopRequest {
  /** Without the origin, such as `rest/v1/rpc/push` or `catalogue/head`. */
  readonly path: string;
  /** The access token; null for none. */
  readonly bearer: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Serves a request at the database, as `World.serve` does. */
type Serve = (uid: string | null, name: string, body: object, failAtRow: number) => Promise<Served>;

export class Gateway {
  authHealth: AuthHealth = 'good';
  restHealth: RestHealth = 'good';
  #environment: Environment;
  #chance: Chance;
  #serve: Serve;
  /** Its edges answer in turns, each from a cache of its own, so an answer may be older than the one before. */
  #cdn: Cdn;

  constructor(environment: Environment, chance: Chance, serve: Serve) {
    this.#environment = environment;
    this.#chance = chance;
    this.#serve = serve;
    const { clock } = environment;
    this.#cdn = new Cdn({
      now: () => clock.nowMs,
      edges: chance.pick([1, 1, 2, 3]),
      losesPurges: chance.happens(0.5),
    });
  }

  /** @param failAtRow the database fails at the row write of this number; 0 for no failure */
  async serve(request: ShopRequest, failAtRow: number): Promise<Reply> {
    const { path } = request;
    if (path.startsWith('auth/')) return this.#askAuth(request);
    if (path.startsWith('catalogue/')) return this.#askCatalogue(path);
    return this.#call(path.slice('rest/v1/'.length), request, failAtRow);
  }

  async #call(name: string, { bearer, body }: ShopRequest, failAtRow: number): Promise<Reply> {
    const { auth, clock, verdicts } = this.#environment;
    if (this.restHealth === 'rejecting tokens') {
      verdicts.fault('REST rejects a good token');
      return this.#chance.pick(TOKEN_REJECTIONS);
    }
    const token = bearer === null ? null : auth.read(bearer, clock.nowMs);
    if (token?.kind === 'expired') {
      verdicts.fault('token expired');
      return errorOf(401, 'PGRST303', 'JWT expired');
    }
    if (token?.kind === 'unknown') return errorOf(401, 'PGRST301', 'JWSError');
    const served = await this.#serve(token?.uid ?? null, name, body, failAtRow);
    if (served.ok) return { status: 200, body: JSON.stringify(served.result) };
    if (failAtRow > 0) verdicts.say(`  the database failed: ${served.code}`);
    return errorOf(statusOf(served.code, token !== null), served.code, served.message);
  }

  /** The CDN is told that the catalogue has changed. Some purges are lost. */
  purge(): void {
    if (this.#chance.happens(0.5)) this.#cdn.purge([CATALOGUE_TAG]);
    else this.#environment.verdicts.fault('purge lost');
  }

  async #askCatalogue(path: string): Promise<Reply> {
    const { clock, server, verdicts } = this.#environment;
    const request = new Request(`${SHOP_URL}/${path}`);
    const reply = await clock.inRealTime(async () => {
      const answer = await this.#cdn.answer(request, () => server.answerCatalogue(request));
      return { status: answer.status, body: await answer.text() };
    });
    const [, since] = /^catalogue\/changes\/(\d+)/.exec(path) ?? [];
    if (this.restHealth !== 'endless catalogue' || since === undefined || reply.status !== 200) {
      return reply;
    }
    verdicts.fault('catalogue without an end');
    const endless = { ver: Number(since), more: true, columns: columnsOf([]), deleted: [] };
    const answer = { ...(JSON.parse(reply.body) as object), ...endless };
    return { status: 200, body: JSON.stringify(answer), isFaulty: true };
  }

  #askAuth({ path, body }: ShopRequest): Reply {
    const { auth, clock, verdicts } = this.#environment;
    if (path.startsWith('auth/v1/logout')) return { status: 204, body: '' };
    if (path.includes('grant_type=password')) {
      const uid = String(body['email']).split('@')[0] ?? '';
      return { status: 200, body: auth.signIn(uid, clock.nowMs) };
    }
    if (this.authHealth !== 'good') {
      verdicts.fault('refresh fails for now');
      return this.authHealth === 'down' ? BAD_GATEWAY : this.#chance.pick(RENEWAL_FAILURES);
    }
    const reply = auth.refresh(String(body['refresh_token']), clock.nowMs);
    if (reply.status !== 200) verdicts.fault('refresh rejected for good');
    return reply;
  }
}

/** The HTTP status of a SQLSTATE or of one of PostgREST's own codes. Source: PostgREST's manual, Errors. */
function statusOf(code: string, isSignedIn: boolean): number {
  if (code === '42501') return isSignedIn ? 403 : 401;
  if (code === 'PGRST202') return 404;
  if (code.startsWith('PT')) return Number(code.slice(2));
  if (code === '23503' || code === '23505') return 409;
  if (code.startsWith('53')) return 503;
  return /^(25|2D|38|39|3B|40|55|57|58|XX)/.test(code) ? 500 : 400;
}
