/** What all parts of a schedule share: time, random draws, the server and the oracle. */
import { Chance } from '../kit/chance.ts';
import { AuthServer } from './auth-server.ts';
import type { BrowserTab } from './browser.ts';
import { Clock } from './clock.ts';
import { DeferredTaps } from './deferred-taps.ts';
import { Oracle } from './oracle.ts';
import type { StartPage } from './page-bundle.ts';
import type { Server } from './server.ts';
import { SyncVerdicts } from './verdicts.ts';

/** What schedules run with; one setup serves many schedules. */
export interface Setup {
  readonly server: Server;
  readonly startPage: StartPage;
  /** Takes a readable account of everything that happens. */
  readonly log?: ((line: string) => void) | undefined;
}

export class Environment {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: Clock<BrowserTab>;
  readonly startPage: StartPage;
  readonly server: Server;
  readonly auth: AuthServer;
  readonly verdicts: SyncVerdicts;
  readonly oracle: Oracle;
  readonly deferred: DeferredTaps;
  /** The ids of the shoppers' accounts. */
  readonly users: readonly string[];
  /** Whether the injection of faults has ended. */
  areFaultsOver = false;
  /** Whether the database has been restored from a backup. */
  hasBeenRestored = false;
  /** Errors of the simulator itself. */
  readonly errors: unknown[] = [];
  /** Errors that a page's code has not handled. */
  readonly pageErrors: unknown[] = [];

  constructor(seed: number, userCount: number, { server, startPage, log }: Setup) {
    this.seed = seed;
    this.server = server;
    this.startPage = startPage;
    // Each part draws from a stream of its own, so one more draw in one part does not change other parts.
    // world.ts, schedule.ts and browser.ts use the streams 4 to 7.
    this.chance = new Chance(seed, 1);
    this.clock = new Clock(new Chance(seed, 2).next);
    this.auth = new AuthServer(new Chance(seed, 3));
    this.verdicts = new SyncVerdicts(() => this.clock.nowMs, log);
    this.deferred = new DeferredTaps(this.verdicts);
    this.users = Array.from({ length: userCount }, this.chance.uuid);
    this.oracle = new Oracle(this.verdicts, server.products, this.users);
  }

  /** Whether the schedule can stop: an invariant is violated, or the simulator has failed. */
  get isBroken(): boolean {
    return this.verdicts.violations.length > 0 || this.errors.length > 0;
  }

  /** Begins work as a tab's code, and does not wait for it. If the work fails, the simulator has failed. */
  runIn(tab: BrowserTab, work: () => Promise<unknown>): void {
    const run = () => {
      if (tab.isDead) return;
      work().catch((error: unknown) => {
        // Work that a crash of its tab interrupts may fail, and the tab has no code left to handle it.
        if (!tab.isDead) this.errors.push(error);
      });
    };
    this.clock.after(0, run, tab);
  }
}
