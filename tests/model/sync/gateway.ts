/** Whoever answers at the other end of the network: the auth service, and the database behind REST. */
import type { AuthServer } from './auth-server.ts';
import type { Chance } from '../kit/chance.ts';
import { BAD_GATEWAY, errorOf, type Reply } from './fates.ts';
import type { Sent } from './network.ts';
import { statusOf } from './server.ts';
import type { World } from './world.ts';

/** How the auth service feels: `busy` refuses for now, `away` answers with errors. */
export type AuthMood = 'good' | 'busy' | 'away';

/**
 * How REST feels: `refusing` takes no token although it is good; `endless` says for ever that the
 * catalogue has more.
 */
export type RestMood = 'good' | 'refusing' | 'endless';

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

export class Gateway {
  authMood: AuthMood = 'good';
  restMood: RestMood = 'good';
  #world: World;
  #chance: Chance;
  #auth: AuthServer;

  constructor(world: World, chance: Chance, auth: AuthServer) {
    this.#world = world;
    this.#chance = chance;
    this.#auth = auth;
  }

  /** @param stumbleAt the row at which the database fails; 0 for none */
  async serve(sent: Sent, stumbleAt: number): Promise<Reply> {
    const { path } = sent;
    if (path.startsWith('auth/')) return this.#askAuth(sent);
    const name = path.slice('rest/v1/'.length);
    if (!name.startsWith('rpc/p')) return this.#browse(name, sent.body);
    return this.#call(name, sent, stumbleAt);
  }

  async #call(name: string, { bearer, body }: Sent, stumbleAt: number): Promise<Reply> {
    const { clock, verdicts } = this.#world;
    if (this.restMood === 'refusing') {
      verdicts.fault('REST refuses a good token');
      return this.#chance.pick(TOKEN_REFUSED);
    }
    const token = bearer === null ? null : this.#auth.read(bearer, clock.nowMs);
    if (token?.kind === 'expired') {
      verdicts.fault('token expired');
      return errorOf(401, 'PGRST303', 'JWT expired');
    }
    if (token?.kind === 'unknown') return errorOf(401, 'PGRST301', 'JWSError');
    const served = await this.#world.serve(token?.uid ?? null, name, body, stumbleAt);
    if (served.ok) return { status: 200, body: JSON.stringify(served.result) };
    if (stumbleAt > 0) verdicts.say(`  the server stumbled: ${served.code}`);
    return errorOf(statusOf(served.code, token !== null), served.code, served.message);
  }

  async #browse(name: string, body: Sent['body']): Promise<Reply> {
    const { clock, server, verdicts } = this.#world;
    const answer = (await clock.outside(() => server.browse(name, body))) as object;
    const { p_since: since = null } = body;
    if (this.restMood !== 'endless' || since === null) {
      return { status: 200, body: JSON.stringify(answer) };
    }
    verdicts.fault('catalogue without an end');
    const same = { ...answer, ver: since, more: true, products: [], deleted: [] };
    return { status: 200, body: JSON.stringify(same), isFalse: true };
  }

  #askAuth({ path, body }: Sent): Reply {
    const { clock, verdicts } = this.#world;
    if (path.startsWith('auth/v1/logout')) return { status: 204, body: '' };
    if (path.includes('grant_type=password')) {
      const uid = String(body['email']).split('@')[0] ?? '';
      return { status: 200, body: this.#auth.signIn(uid, clock.nowMs) };
    }
    if (this.authMood !== 'good') {
      verdicts.fault('refresh refused for now');
      return this.authMood === 'away' ? BAD_GATEWAY : this.#chance.pick(REFUSED_FOR_NOW);
    }
    const reply = this.#auth.refresh(String(body['refresh_token']), clock.nowMs);
    if (reply.status !== 200) verdicts.fault('refresh refused for good');
    return reply;
  }
}
