/** Everything of one schedule: time, chance, the server, the phones, and what has been seen. */
import { AuthServer } from './auth-server.ts';
import { Chance } from './chance.ts';
import { Clock } from './clock.ts';
import type { Engine } from './engine.ts';
import { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Phone } from './phone.ts';
import type { Served, Server } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { Tab } from './tab.ts';
import { Verdicts } from './verdicts.ts';

let worlds = 0;

export class World {
  /** Within this process: no two databases have the same name. */
  readonly id = ++worlds;
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: Clock<Tab>;
  readonly engine: Engine;
  readonly server: Server;
  readonly auth: AuthServer;
  readonly network: Network;
  readonly verdicts: Verdicts;
  readonly ledger: Ledger;
  readonly users: readonly string[];
  readonly phones: readonly Phone[];
  isRealtimeSilent = false;
  /** What is wrong with the simulator itself. */
  readonly errors: unknown[] = [];

  constructor(
    seed: number,
    size: { readonly users: number; readonly phones: number },
    parts: {
      readonly server: Server;
      readonly engine: Engine;
      log: ((line: string) => void) | null;
    },
  ) {
    this.seed = seed;
    this.server = parts.server;
    this.engine = parts.engine;
    this.chance = new Chance(seed, 1);
    this.clock = new Clock(new Chance(seed, 2).next);
    this.auth = new AuthServer(new Chance(seed, 3));
    this.verdicts = new Verdicts(() => this.clock.nowMs, parts.log);
    this.network = new Network(this, new Chance(seed, 4), this.auth);
    this.users = Array.from({ length: size.users }, this.chance.uuid);
    this.ledger = new Ledger(this.verdicts, this.server.products, this.users);
    const letters = 'ABCDEFGH'.slice(0, size.phones);
    this.phones = Array.from(letters, (letter) => new Phone(this, letter));
  }

  get isBroken(): boolean {
    return this.verdicts.violations.length > 0 || this.errors.length > 0;
  }

  /** Begins something in a tab; what it does happens in the course of time. */
  begin(tab: Tab, work: () => Promise<unknown>): void {
    const run = () => {
      if (tab.isDead) return;
      work().catch((error: unknown) => {
        // What a crash cuts short fails, and nobody is there any more to hear it.
        if (!tab.isDead) this.errors.push(error);
      });
    };
    this.clock.after(0, run, tab);
  }

  /** Runs something at once as the tab's own. */
  asActor(tab: Tab, work: () => void): void {
    const before = this.clock.actor;
    this.clock.actor = tab;
    work();
    this.clock.actor = before;
  }

  /** Invariant 6, for a request as it leaves. */
  checkRequest(
    { path, bearer, body }: { path: string; bearer: string | null; body: Record<string, unknown> },
    owner: string | undefined,
  ): void {
    if (!path.startsWith('rest/')) return;
    const uid = body['p_user'];
    if (bearer === null) this.verdicts.break(6, `${path} carries no token`);
    else if (owner !== uid)
      this.verdicts.break(6, `${path} for ${String(uid)} has ${owner}’s token`);
    const changes = (body['p_changes'] ?? []) as readonly { id: string }[];
    const pending = (body['p_pending'] ?? []) as readonly string[];
    for (const id of [...changes.map((change) => change.id), ...pending]) {
      const maker = this.ledger.madeBy(id)?.uid;
      if (maker !== uid)
        this.verdicts.break(6, `${path} for ${String(uid)} sends ${maker}’s ${id}`);
    }
  }

  /** A call at the server, while time stands still. */
  async serve(uid: string | null, name: string, body: unknown, stumbleAt: number): Promise<Served> {
    const after = uid !== null && name === 'rpc/push' ? this.ledger.versionOf(uid) : null;
    const served = await this.clock.outside(() =>
      this.server.call(uid, name, body, { stumbleAt, after }),
    );
    this.#observe(uid, served, null);
    return served;
  }

  /** Another client of the shopper writes single rows. */
  async write(uid: string, write: RowWrite): Promise<void> {
    const after = this.ledger.versionOf(uid);
    const served = await this.clock.outside(() => this.server.write(uid, write, after));
    this.verdicts.operation(
      `${uid.slice(0, 4)} by rows: ${JSON.stringify(write)} ${served.ok ? '' : served.code}`,
    );
    this.#observe(uid, served, write);
  }

  /** Realtime tells a tab that there is something to pull; or it does not, or too often. */
  ring(tab: Tab): void {
    if (tab.phone.weather === 'offline') return;
    const ms = this.chance.between(20, 400);
    this.clock.after(ms, () => (tab.isDead ? undefined : tab.doorbell?.ring()), tab);
  }

  #observe(uid: string | null, served: Served, write: RowWrite | null): void {
    if (uid === null || !served.ok || !served.seen) return;
    const isNews = this.ledger.observe(uid, served.seen, write);
    if (!isNews || this.isRealtimeSilent) return;
    for (const tab of this.phones.flatMap(({ liveTabs }) => liveTabs)) {
      if (tab.doorbell?.uid === uid) this.ring(tab);
    }
  }
}
