/** The other end of the network: the auth service, and the database behind REST. */
import type { Chance } from '../kit/chance.ts';
import type { Environment } from './environment.ts';
import { BAD_GATEWAY, errorOf, type Reply } from './fates.ts';
import { type Served, statusOf } from './server.ts';

/** The auth service: `busy` refuses for now, `away` answers with errors. */
export type AuthHealth = 'good' | 'busy' | 'away';

/**
 * REST: `refusing` takes no token although it is good; `endless` says for ever that the
 * catalogue has more.
 */
export type RestHealth = 'good' | 'refusing' | 'endless';

const REFUSED_FOR_NOW = [
  { status: 429, body: '{"code":429,"error_code":"over_request_rate_limit","msg":"slow down"}' },
  { status: 500, body: '{"code":500,"error_code":"unexpected_failure","msg":"database"}' },
  { status: 503, body: '<html>Service Unavailable</html>' },
  { status: 403, body: '<html>Forbidden</html>' },
  { status: 200, body: '{}', isFalse: true },
] as const;

const TOKEN_REFUSED = [
  errorOf(401, 'PGRST301', 'JWSError'),
  errorOf(500, 'PGRST300', 'Server lacks JWT secret'),
  errorOf(403, '42501', 'permission denied'),
];

/** What leaves a page. */
export interface ShopRequest {
  readonly path: string;
  readonly bearer: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A call at the database. */
type Serve = (uid: string | null, name: string, body: object, stumbleAt: number) => Promise<Served>;

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

  /** @param stumbleAt the row at which the database fails; 0 for none */
  async serve(request: ShopRequest, stumbleAt: number): Promise<Reply> {
    const { path } = request;
    if (path.startsWith('auth/')) return this.#askAuth(request);
    // No account of the simulator is deleted by its owner.
    if (path.startsWith('.netlify/')) return { status: 200, body: '{"deleted":false}' };
    const name = path.slice('rest/v1/'.length);
    if (!name.startsWith('rpc/p')) return this.#browse(name, request.body);
    return this.#call(name, request, stumbleAt);
  }

  async #call(name: string, { bearer, body }: ShopRequest, stumbleAt: number): Promise<Reply> {
    const { auth, clock, verdicts } = this.#environment;
    if (this.restHealth === 'refusing') {
      verdicts.fault('REST refuses a good token');
      return this.#chance.pick(TOKEN_REFUSED);
    }
    const token = bearer === null ? null : auth.read(bearer, clock.nowMs);
    if (token?.kind === 'expired') {
      verdicts.fault('token expired');
      return errorOf(401, 'PGRST303', 'JWT expired');
    }
    if (token?.kind === 'unknown') return errorOf(401, 'PGRST301', 'JWSError');
    const served = await this.#serve(token?.uid ?? null, name, body, stumbleAt);
    if (served.ok) return { status: 200, body: JSON.stringify(served.result) };
    if (stumbleAt > 0) verdicts.say(`  the server stumbled: ${served.code}`);
    return errorOf(statusOf(served.code, token !== null), served.code, served.message);
  }

  async #browse(name: string, body: ShopRequest['body']): Promise<Reply> {
    const { clock, server, verdicts } = this.#environment;
    const answer = (await clock.outside(() => server.browse(name, body))) as object;
    const { p_since: since = null } = body;
    if (this.restHealth !== 'endless' || since === null) {
      return { status: 200, body: JSON.stringify(answer) };
    }
    verdicts.fault('catalogue without an end');
    const same = { ...answer, ver: since, more: true, products: [], deleted: [] };
    return { status: 200, body: JSON.stringify(same), isFalse: true };
  }

  #askAuth({ path, body }: ShopRequest): Reply {
    const { auth, clock, verdicts } = this.#environment;
    if (path.startsWith('auth/v1/logout')) return { status: 204, body: '' };
    if (path.includes('grant_type=password')) {
      const uid = String(body['email']).split('@')[0] ?? '';
      return { status: 200, body: auth.signIn(uid, clock.nowMs) };
    }
    if (this.authHealth !== 'good') {
      verdicts.fault('refresh refused for now');
      return this.authHealth === 'away' ? BAD_GATEWAY : this.#chance.pick(REFUSED_FOR_NOW);
    }
    const reply = auth.refresh(String(body['refresh_token']), clock.nowMs);
    if (reply.status !== 200) verdicts.fault('refresh refused for good');
    return reply;
  }
}
