/** Everything in one schedule: what its parts share (`Environment`), the services, and the phones. */
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

const MINUTE_MS = 60_000;

export class World extends Environment {
  readonly gateway: Gateway;
  readonly network: Network;
  readonly realtime: Realtime;
  readonly restores: Restores;
  readonly taps: Taps;
  readonly phones: readonly Phone[];
  /** How many days have gone by at the database while all phones were silent. */
  daysPassed = 0;
  /**
   * The simulated time at which the counts for the limit on pushes were last reset. The database would reset
   * them by its own clock, which shows real time.
   */
  #countsResetMs = 0;

  constructor(
    seed: number,
    size: { readonly users: number; readonly phones: number },
    setup: Setup,
  ) {
    super(seed, size.users, setup);
    // The numbers are streams of `Chance`, which no other part draws from.
    this.gateway = new Gateway(this, new Chance(seed, 7), (...call) => this.serve(...call));
    this.network = new Network(this, new Chance(seed, 4), this.gateway, new Resends(this.verdicts));
    this.realtime = new Realtime(this);
    this.restores = new Restores(this);
    this.taps = new Taps(this);
    const names = 'ABCDEFGH'.slice(0, size.phones);
    this.phones = Array.from(names, (name) => new Phone(this, name));
  }

  fireInTabs(phone: Phone, event: 'online' | 'visibilitychange'): void {
    for (const tab of phone.liveTabs) this.runIn(tab, async () => tab.events.fire(event));
  }

  /**
   * Serves a request at the database, while simulated time stands still, and checks what it wrote.
   *
   * @param uid the shopper whose token it carries; null for none
   * @param failAtRow the database fails at the row write of this number; 0 for no failure
   */
  async serve(uid: string | null, name: string, body: object, failAtRow: number): Promise<Served> {
    // Of the requests of pages only a push writes rows that the oracle checks.
    const changesAfter = uid !== null && name === 'rpc/push' ? this.oracle.versionOf(uid) : null;
    if (changesAfter !== null && this.clock.nowMs > this.#countsResetMs + MINUTE_MS) {
      this.#countsResetMs = this.clock.nowMs;
      await this.clock.inRealTime(() => this.server.resetPushCounts());
    }
    const served = await this.clock.inRealTime(() =>
      this.server.call(uid, name, body, { failAtRow, changesAfter }),
    );
    this.#observe(uid, served);
    return served;
  }

  /** Another client of the shopper, which is not the shop's page, writes single rows. */
  async write(uid: string, write: RowWrite): Promise<void> {
    const version = this.oracle.versionOf(uid);
    const served = await this.clock.inRealTime(() => this.server.write(uid, write, version));
    this.verdicts.action(
      `${uid.slice(0, 4)} by rows: ${JSON.stringify(write)} ${served.ok ? '' : served.code}`,
    );
    this.#observe(uid, served, write);
  }

  /** Lets the oracle check the shopper's rows, and notifies the tabs of a change; `write` as in `Oracle.observe`. */
  #observe(uid: string | null, served: Served, write: RowWrite | null = null): void {
    if (uid === null || !served.ok || !served.rows) return;
    if (!this.oracle.observe(uid, served.rows, write)) return;
    this.restores.countTransaction();
    this.realtime.notifyShopper(uid);
  }
}
