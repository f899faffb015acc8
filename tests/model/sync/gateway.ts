/** The server's end of the network: the auth service, and the REST service before the database. */
import type { Chance } from '../kit/chance.ts';
import type { Environment } from './environment.ts';
import { BAD_GATEWAY, errorOf, type Reply } from './fates.ts';
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
  /** Without the origin, such as `rest/v1/rpc/push`. */
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

  constructor(environment: Environment, chance: Chance, serve: Serve) {
    this.#environment = environment;
    this.#chance = chance;
    this.#serve = serve;
  }

  /** @param failAtRow the database fails at the row write of this number; 0 for no failure */
  async serve(request: ShopRequest, failAtRow: number): Promise<Reply> {
    const { path } = request;
    if (path.startsWith('auth/')) return this.#askAuth(request);
    const name = path.slice('rest/v1/'.length);
    // These need a shopper's token; functions of the catalogue need no token.
    if (!/^rpc\/(push|pull|release)$/.test(name)) return this.#browse(name, request.body);
    return this.#call(name, request, failAtRow);
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

  async #browse(name: string, body: ShopRequest['body']): Promise<Reply> {
    const { clock, server, verdicts } = this.#environment;
    const answer = (await clock.inRealTime(() => server.browse(name, body))) as object;
    const { p_since: since = null } = body;
    if (this.restHealth !== 'endless catalogue' || since === null) {
      return { status: 200, body: JSON.stringify(answer) };
    }
    verdicts.fault('catalogue without an end');
    const endlessAnswer = { ...answer, ver: since, more: true, products: [], deleted: [] };
    return { status: 200, body: JSON.stringify(endlessAnswer), isFaulty: true };
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
