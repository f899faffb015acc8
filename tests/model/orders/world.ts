/**
 * Everything of one schedule: time, the shopper's tabs, the functions that run, the providers, the
 * database. All but the database is plain data or can be made from it, so a world can be put back.
 */
import { HOME } from '../../supabase/buyer.ts';
import { BEGIN_MS, type Facts, isOld, type Tab } from './facts.ts';
import { type Job, nameOf, workOf } from './jobs.ts';
import { Oracle } from './oracle.ts';
import { judge } from './pages.ts';
import { excusedNow, linesIn, notePlaced, watchPromises } from './promises.ts';
import type { Outside } from './ports.ts';
import { type ProviderName, Providers } from './providers.ts';
import type { SeenOrder } from './fake-database.ts';
import { type Fault, Run } from './run.ts';
import type { Going, Parts, WorldView } from './world-view.ts';

/** Functions on Netlify live so long at most; the SQL counts on it. */
export const LONGEST_RUN_MS = 60_000;

export class World implements WorldView {
  readonly facts: Facts;
  readonly parts: Parts;
  readonly providers: Providers;
  readonly oracle: Oracle;
  going: Going[] = [];

  private constructor(parts: Parts, facts: Facts) {
    this.parts = parts;
    this.facts = facts;
    this.providers = new Providers(() => this.facts.nowMs, facts.providers);
    this.oracle = new Oracle(facts.accounts, this.providers, parts.verdicts);
  }

  static async open(parts: Parts, facts: Facts): Promise<World> {
    const world = new World(parts, structuredClone(facts));
    for (const { job, bornMs, heard, wasTaken, excused } of facts.runs) {
      const run = await world.#begin(job, bornMs, [...heard]);
      world.going.push({ job, run, wasTaken, excused });
    }
    return world;
  }

  /** When the schedule began. */
  get beganMs(): number {
    return BEGIN_MS;
  }

  /** What another world can be opened with. */
  freeze(): Facts {
    const runs = this.going.map(({ job, run: { bornMs, heard }, wasTaken, excused }) => {
      return { job, bornMs, heard, wasTaken, excused };
    });
    return structuredClone({ ...this.facts, providers: this.providers.state, runs });
  }

  /** Lets go of what runs, without a trace. */
  async abandon(): Promise<void> {
    for (const { run } of this.going) await run.abandon();
    this.going = [];
  }

  get isBroken(): boolean {
    return this.parts.verdicts.violations.length > 0;
  }

  get outside(): Outside {
    const { functions, database, verdicts } = this.parts;
    return {
      functions,
      database,
      providers: this.providers,
      observe: (seen) => this.oracle.observe(seen),
      log: (line) => {
        const isWeather = /: (ProviderUnavailable|DatabaseUnavailable): /.test(line);
        if (line.startsWith('order ') && !isWeather) verdicts.break('broken', line);
        verdicts.say(`    the shop is told: ${line}`);
      },
    };
  }

  /** Something begins to run, up to its first call. */
  async start(job: Job): Promise<Going> {
    const run = await this.#begin(job, this.facts.nowMs, []);
    const going = { job, run, wasTaken: false, excused: [] };
    this.going.push(going);
    this.#settle(going, true);
    return going;
  }

  /** A provider tells of an event. */
  async startMessage(from: ProviderName, event: string): Promise<Going> {
    return this.start({ kind: 'message', from, sent: await this.providers.message(from, event) });
  }

  async step(going: Going, fault: Fault | null, isHeard = true): Promise<void> {
    const { pending } = going.run;
    const wrong = fault === null ? '' : `, ${fault}`;
    this.parts.verdicts.say(`    ${nameOf(going.job)}: ${pending?.what}${wrong}`);
    if (fault !== null) this.parts.verdicts.fault(`${pending?.to}: ${fault}`);
    this.parts.verdicts.count('calls');
    const before = this.oracle.seen.orders;
    await going.run.step(fault, this.facts.nowMs);
    const { job } = going;
    if (pending?.what === 'place_order' && 'fields' in job) {
      const placed = this.oracle.seen.orders.find(({ id }) => before.every((o) => o.id !== id));
      if (placed) notePlaced(this, job.fields, placed.id);
    }
    if (pending?.to === 'paypal' && job.kind === 'capture' && !isOld(this.facts, job.wallet)) {
      going.wasTaken = this.providers.receipts.some(({ sourceId }) => sourceId === job.wallet);
    }
    if (pending?.what === 'start_attempt' && 'fields' in job) {
      const { orderId } = job.fields;
      const named = typeof orderId === 'string' ? orderId : null;
      going.excused = excusedNow(this, linesIn(job.fields), named);
    }
    watchPromises(this);
    this.#settle(going, isHeard);
  }

  /** Runs it to its end, with nothing else in between. */
  async finish(going: Going): Promise<void> {
    while (going.run.outcome === null) await this.step(going, null);
  }

  async kill(going: Going, lands: boolean): Promise<void> {
    this.parts.verdicts.say(`    ${nameOf(going.job)} dies${lands ? ', its call lands' : ''}`);
    this.going = this.going.filter((other) => other !== going);
    await going.run.die(lands);
  }

  /** What has run for too long dies; whether its last call still lands is for the caller to say. */
  async pass(ms: number, lands: () => boolean): Promise<void> {
    this.facts.nowMs += ms;
    this.providers.named('tick').stripe.tick();
    for (const going of this.going) {
      if (this.facts.nowMs - going.run.bornMs > LONGEST_RUN_MS) await this.kill(going, lands());
    }
  }

  /** Of a tab whose page shows these lines, as the page sends it. */
  fieldsFor(tab: Tab, orderId: string | null, again = false): Record<string, unknown> {
    const lines = tab.lines.map(({ product, quantity, unitMinor }) => ({
      product_id: product,
      quantity,
      ...(orderId !== null && unitMinor !== null && { unit_minor: unitMinor }),
    }));
    const total = tab.lines.reduce((sum, l) => sum + l.quantity * (l.unitMinor ?? 0), 0);
    const named = orderId === null ? {} : { orderId, shownTotal: total };
    const asked = again ? { again } : {};
    const shared = { shippingAddress: HOME, userId: this.parts.database.user, ...named, ...asked };
    return { items: lines, cartItems: lines, ...shared };
  }

  /** Of a page that pays on an order that is there. */
  fieldsOf({ id: orderId, lines, total: shownTotal }: SeenOrder): Record<string, unknown> {
    const items = lines.map(([product_id, quantity, unit_minor]) => {
      return { product_id, quantity, unit_minor };
    });
    const { user: userId } = this.parts.database;
    return { items, cartItems: items, shippingAddress: HOME, userId, orderId, shownTotal };
  }

  #begin(job: Job, bornMs: number, heard: Run['heard']): Promise<Run> {
    const caller = { id: this.parts.database.user, isChecked: this.parts.checksTokens };
    return Run.begin(workOf(job, caller, this.outside), bornMs, heard);
  }

  #settle(going: Going, isHeard: boolean): void {
    if (going.run.outcome === null) return;
    this.going = this.going.filter((other) => other !== going);
    judge(this, going, going.run.outcome, isHeard);
  }
}
