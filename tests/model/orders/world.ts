/**
 * Everything in one schedule: time, the shopper's tabs, the functions that run, the providers, the
 * database.
 */
import { HOME } from '../../supabase/buyer.ts';
import { type Facts, firstFacts, type Tab } from './facts.ts';
import { type Job, jobName, taskOf } from './jobs.ts';
import { Oracle } from './oracle.ts';
import { checkOutcome } from './pages.ts';
import { excusedNow, checkPaymentPromises } from './promises.ts';
import type { Outside } from './ports.ts';
import { type ProviderName, Providers } from './providers.ts';
import type { OrderRow } from './model-database.ts';
import { type Fault, Run } from './run.ts';
import { checkSending } from './sending.ts';
import type { OrderVerdicts } from './verdicts.ts';
import type { ActiveJob, Parts, WorldView } from './world-view.ts';

/** Netlify ends a function after this time. The SQL relies on this: it treats an older request as dead. */
const MAX_RUN_MS = 60_000;

export class World implements WorldView {
  readonly facts: Facts;
  readonly parts: Parts;
  readonly providers: Providers;
  readonly oracle: Oracle;
  readonly verdicts: OrderVerdicts;
  activeJobs: ActiveJob[] = [];

  /** @param phones for each tab, the number of its phone */
  constructor(parts: Parts, phones: readonly number[]) {
    this.parts = parts;
    this.verdicts = parts.verdicts;
    this.facts = firstFacts(parts.database, phones);
    this.providers = new Providers(() => this.facts.nowMs);
    this.oracle = new Oracle(this.facts.ledger, this.providers, this.verdicts);
  }

  /** Whether an invariant was violated. */
  get isBroken(): boolean {
    return this.verdicts.violations.length > 0;
  }

  get outside(): Outside {
    const { functions, database, verdicts } = this.parts;
    return {
      functions,
      database,
      providers: this.providers,
      observe: (rows) => this.oracle.observe(rows),
      mail: ({ kind, key }) => void this.facts.mails.push(`${kind} ${key}`),
      log: (line) => {
        // The reconcile logs each order that it cannot settle, with the error: an outage, or a bug.
        const isOutage = /: (ProviderUnavailable|DatabaseUnavailable): /.test(line);
        if (line.startsWith('order ') && !isOutage) verdicts.break('broken', line);
        verdicts.say(`    the shop logs: ${line}`);
      },
    };
  }

  /** Starts a job, which runs to its first call. */
  async start(job: Job): Promise<ActiveJob> {
    const run = await Run.begin(taskOf(job, this.outside), this.facts.nowMs);
    const active = { job, run, isMoneyTaken: false, excused: [] };
    this.activeJobs.push(active);
    this.#removeIfEnded(active);
    return active;
  }

  /** Delivers an event of a provider. */
  async startWebhook(from: ProviderName, eventId: string): Promise<ActiveJob> {
    const request = await this.providers.webhook(from, eventId);
    return this.start({ kind: 'webhook', from, request });
  }

  /**
   * Performs the pending call of a job, which then runs to its next call or to its end.
   *
   * @param reachesPage whether the page gets the function's answer if this call is the last
   */
  async step(
    active: ActiveJob,
    fault: Fault | null = null,
    { reachesPage = true } = {},
  ): Promise<void> {
    const { pending } = active.run;
    const suffix = fault === null ? '' : `, ${fault}`;
    this.verdicts.say(`    ${jobName(active.job)}: ${pending?.name}${suffix}`);
    if (fault !== null) this.verdicts.fault(`${pending?.target}: ${fault}`);
    this.verdicts.count('calls');
    const { orders } = this.oracle.rows;
    this.#noteUnheard(active, {
      happens: fault?.endsWith('before') !== true,
      isHeard: fault === null,
    });
    await active.run.step(fault, this.facts.nowMs);
    checkSending(this, active, orders);
    const { job } = active;
    if (pending?.target === 'paypal' && job.kind === 'capture') {
      active.isMoneyTaken = this.providers.receipts.some(
        ({ sourceId }) => sourceId === job.paypalOrder,
      );
    }
    // In this call the database decides whether to ask the shopper about paying again. The last such call counts.
    if (pending?.name === 'start_attempt' && 'fields' in job) {
      active.excused = excusedNow(this);
    }
    checkPaymentPromises(this);
    this.#removeIfEnded(active, { reachesPage });
  }

  /** Runs a job to its end, with nothing else in between. */
  async finish(active: ActiveJob): Promise<void> {
    while (active.run.outcome === null) await this.step(active);
  }

  async runToEnd(job: Job): Promise<ActiveJob> {
    const active = await this.start(job);
    await this.finish(active);
    return active;
  }

  /** @param callHappens whether the pending call of the function still takes effect */
  async kill(active: ActiveJob, { callHappens = false } = {}): Promise<void> {
    const suffix = callHappens ? ', its call takes effect' : '';
    this.verdicts.say(`    ${jobName(active.job)} dies${suffix}`);
    this.activeJobs = this.activeJobs.filter((other) => other !== active);
    this.#noteUnheard(active, { happens: callHappens, isHeard: false });
    const { orders } = this.oracle.rows;
    await active.run.die(callHappens);
    checkSending(this, active, orders);
  }

  /** Lets time pass. Functions that have run for too long die; `callHappens` as in `kill`, for each. */
  async pass(ms: number, callHappens = () => false): Promise<void> {
    this.facts.nowMs += ms;
    const { stripe, paypal } = this.providers.seedIds('tick');
    stripe.tick();
    paypal.tick();
    for (const active of this.activeJobs) {
      if (this.facts.nowMs - active.run.startedMs <= MAX_RUN_MS) continue;
      await this.kill(active, { callHappens: callHappens() });
    }
  }

  /**
   * The request of a page that shows these lines, with the fields of both ways to pay (`items` by card,
   * `cartItems` with PayPal).
   */
  cartRequest(tab: Tab, orderId: string, { again = false } = {}): Record<string, unknown> {
    const lines = tab.lines.map(({ product, quantity, unitMinor }) => ({
      product_id: product,
      quantity,
      ...(unitMinor !== null && { unit_minor: unitMinor }),
    }));
    const total = tab.lines.reduce((sum, l) => sum + l.quantity * (l.unitMinor ?? 0), 0);
    return {
      items: lines,
      cartItems: lines,
      shippingAddress: HOME,
      userId: this.parts.database.user,
      orderId,
      shownTotal: total,
      ...(again && { again }),
    };
  }

  /** The request of a page that pays an order which exists already. */
  orderRequest({ id: orderId, lines, total: shownTotal }: OrderRow): Record<string, unknown> {
    const items = lines.map(([product_id, quantity, unit_minor]) => {
      return { product_id, quantity, unit_minor };
    });
    const { user: userId } = this.parts.database;
    return { items, cartItems: items, shippingAddress: HOME, userId, orderId, shownTotal };
  }

  /** Counts a mail that the mail server takes while the shop does not hear this, or cannot note it. */
  #noteUnheard(
    { run: { pending } }: ActiveJob,
    { happens, isHeard }: { readonly happens: boolean; readonly isHeard: boolean },
  ): void {
    const isTaken = pending?.target === 'mail' && happens && !isHeard;
    const isUnnoted = pending?.name === 'message_sent' && !happens;
    if (isTaken || isUnnoted) this.facts.unheardMails += 1;
  }

  /** Removes a job that has ended, checks its answer and passes the answer to the page. */
  #removeIfEnded(active: ActiveJob, { reachesPage = true } = {}): void {
    if (active.run.outcome === null) return;
    this.activeJobs = this.activeJobs.filter((other) => other !== active);
    checkOutcome(this, active, active.run.outcome, reachesPage);
  }
}
