/** Everything of one schedule: time, chance, the server, the phones, and what has been seen. */
import { AuthServer } from './auth-server.ts';
import { Chance } from '../kit/chance.ts';
import { Clock } from './clock.ts';
import type { StartPage } from './page-bundle.ts';
import { Gateway } from './gateway.ts';
import { Oracle } from './oracle.ts';
import { Network, type Sent } from './network.ts';
import { Phone } from './phone.ts';
import type { Durable } from './phone-storage.ts';
import { Realtime } from './realtime.ts';
import { Resends } from './resends.ts';
import { Restores } from './restores.ts';
import type { Served, Server } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { Tab } from './tab.ts';
import { Taps } from './taps.ts';
import { SyncVerdicts } from './verdicts.ts';

export class World {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: Clock<Tab>;
  readonly startPage: StartPage;
  readonly server: Server;
  readonly auth: AuthServer;
  readonly gateway: Gateway;
  readonly network: Network;
  readonly realtime: Realtime;
  readonly restores: Restores;
  readonly resends: Resends;
  readonly taps: Taps;
  readonly verdicts: SyncVerdicts;
  readonly oracle: Oracle;
  readonly users: readonly string[];
  readonly phones: readonly Phone[];
  /** Nothing bad begins any more. */
  isHealing = false;
  /** What is wrong with the simulator itself. */
  readonly errors: unknown[] = [];
  #countsForgottenMs = 0;
  /** What pages have not handled. */
  readonly pageErrors: unknown[] = [];

  constructor(
    seed: number,
    size: { readonly users: number; readonly phones: number },
    parts: {
      readonly server: Server;
      readonly startPage: StartPage;
      log: ((line: string) => void) | null;
    },
  ) {
    this.seed = seed;
    this.server = parts.server;
    this.startPage = parts.startPage;
    this.chance = new Chance(seed, 1);
    this.clock = new Clock(new Chance(seed, 2).next);
    this.auth = new AuthServer(new Chance(seed, 3));
    this.verdicts = new SyncVerdicts(() => this.clock.nowMs, parts.log);
    this.gateway = new Gateway(this, new Chance(seed, 7), this.auth);
    this.network = new Network(this, new Chance(seed, 4), this.gateway);
    this.realtime = new Realtime(this);
    this.restores = new Restores(this);
    this.resends = new Resends(this);
    this.taps = new Taps(this);
    this.users = Array.from({ length: size.users }, this.chance.uuid);
    this.oracle = new Oracle(this.verdicts, this.server.products, this.users);
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

  /** Invariant 6, for a request as it leaves. */
  checkRequest({ tab, path, bearer, body }: Sent): void {
    if (!path.startsWith('rest/v1/rpc/p')) return;
    const uid = String(body['p_user']);
    const owner = this.auth.ownerOf(bearer ?? '');
    if (bearer === null) this.verdicts.break(6, `${path} carries no token`);
    else if (owner !== uid) this.verdicts.break(6, `${path} for ${uid} has ${owner}’s token`);
    else if (!tab.phone.person.allows(tab, uid)) {
      this.verdicts.break(6, `${tab.name} sends ${path} for ${uid}, who has logged out`);
    }
    const changes = (body['p_changes'] ?? []) as readonly { id: string }[];
    const pending = (body['p_pending'] ?? []) as readonly string[];
    for (const id of [...changes.map((change) => change.id), ...pending]) {
      const maker = this.oracle.madeBy(id)?.uid;
      if (maker !== uid) this.verdicts.break(6, `${path} for ${uid} sends ${maker}’s ${id}`);
    }
  }

  /** Invariant 10, whenever a transaction has completed. */
  checkSession(phone: string, before: Durable, now: Durable): void {
    if (before.meta === now.meta) return;
    const shopperOf = ({ meta }: Durable) => {
      const row = meta.find(({ key }) => key === 'shopper');
      return row?.key === 'shopper' ? row : null;
    };
    const was = shopperOf(before);
    const is = shopperOf(now);
    // Of somebody else: a tab in memory has brought back who had signed in there.
    if (was?.session !== 'live' || is?.session !== 'ended' || is.uid !== was.uid) return;
    const stored = before.session.map(({ value }) => refreshTokenOf(value)).find(Boolean);
    if (stored === undefined || !this.auth.wouldRenew(stored)) return;
    this.verdicts.break(10, `${phone} ends the session of ${was.uid}, which is good`);
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

function refreshTokenOf(session: string): string | undefined {
  try {
    return (JSON.parse(session) as { refresh_token?: string }).refresh_token;
  } catch {
    return undefined;
  }
}
