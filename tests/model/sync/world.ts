/** Everything of one schedule: the environment, the services, and the phones. */
import { Chance } from '../kit/chance.ts';
import { Environment, type Setup } from './environment.ts';
import { Gateway } from './gateway.ts';
import { Network } from './network.ts';
import { Phone } from './phone.ts';
import { Realtime } from './realtime.ts';
import { Resends } from './resends.ts';
import { Restores } from './restores.ts';
import type { Served } from './server.ts';
import type { RowWrite } from './sql.ts';
import { Taps } from './taps.ts';

export class World extends Environment {
  readonly gateway: Gateway;
  readonly network: Network;
  readonly realtime: Realtime;
  readonly restores: Restores;
  readonly taps: Taps;
  readonly phones: readonly Phone[];
  #countsForgottenMs = 0;

  constructor(
    seed: number,
    size: { readonly users: number; readonly phones: number },
    setup: Setup,
  ) {
    super(seed, size.users, setup);
    this.gateway = new Gateway(this, new Chance(seed, 7), (...call) => this.serve(...call));
    this.network = new Network(this, new Chance(seed, 4), this.gateway, new Resends(this.verdicts));
    this.realtime = new Realtime(this);
    this.restores = new Restores(this);
    this.taps = new Taps(this);
    const letters = 'ABCDEFGH'.slice(0, size.phones);
    this.phones = Array.from(letters, (letter) => new Phone(this, letter));
  }

  /** The browser tells all tabs of a phone. */
  tell(phone: Phone, event: 'online' | 'visibilitychange'): void {
    for (const tab of phone.liveTabs) this.begin(tab, async () => tab.page.fire(event));
  }

  /** A call at the server, while time stands still. */
  async serve(uid: string | null, name: string, body: object, stumbleAt: number): Promise<Served> {
    const after = uid !== null && name === 'rpc/push' ? this.oracle.versionOf(uid) : null;
    if (after !== null && this.clock.nowMs > this.#countsForgottenMs + 60_000) {
      this.#countsForgottenMs = this.clock.nowMs;
      await this.clock.outside(() => this.server.forgetCounts());
    }
    const served = await this.clock.outside(() =>
      this.server.call(uid, name, body, { stumbleAt, after }),
    );
    this.#observe(uid, served, null);
    return served;
  }

  /** Another client of the shopper writes single rows. */
  async write(uid: string, write: RowWrite): Promise<void> {
    const after = this.oracle.versionOf(uid);
    const served = await this.clock.outside(() => this.server.write(uid, write, after));
    this.verdicts.action(
      `${uid.slice(0, 4)} by rows: ${JSON.stringify(write)} ${served.ok ? '' : served.code}`,
    );
    this.#observe(uid, served, write);
  }

  #observe(uid: string | null, served: Served, write: RowWrite | null): void {
    if (uid === null || !served.ok || !served.seen) return;
    if (!this.oracle.observe(uid, served.seen, write)) return;
    this.restores.count();
    this.realtime.announce(uid);
  }
}
