/** What all parts of a schedule share: time, chance, the server, and what has been seen. */
import { Chance } from '../kit/chance.ts';
import { AuthServer } from './auth-server.ts';
import type { Page } from './browser.ts';
import { Clock } from './clock.ts';
import { Oracle } from './oracle.ts';
import type { StartPage } from './page-bundle.ts';
import type { Server } from './server.ts';
import { SyncVerdicts } from './verdicts.ts';

export interface Setup {
  readonly server: Server;
  readonly startPage: StartPage;
  /** Takes a readable account of everything that happens. */
  readonly log?: ((line: string) => void) | undefined;
}

export class Environment {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: Clock<Page>;
  readonly startPage: StartPage;
  readonly server: Server;
  readonly auth: AuthServer;
  readonly verdicts: SyncVerdicts;
  readonly oracle: Oracle;
  readonly users: readonly string[];
  /** Nothing bad begins any more. */
  isHealing = false;
  /** What is wrong with the simulator itself. */
  readonly errors: unknown[] = [];
  /** What pages have not handled. */
  readonly pageErrors: unknown[] = [];

  constructor(seed: number, users: number, { server, startPage, log }: Setup) {
    this.seed = seed;
    this.server = server;
    this.startPage = startPage;
    this.chance = new Chance(seed, 1);
    this.clock = new Clock(new Chance(seed, 2).next);
    this.auth = new AuthServer(new Chance(seed, 3));
    this.verdicts = new SyncVerdicts(() => this.clock.nowMs, log);
    this.users = Array.from({ length: users }, this.chance.uuid);
    this.oracle = new Oracle(this.verdicts, server.products, this.users);
  }

  get isBroken(): boolean {
    return this.verdicts.violations.length > 0 || this.errors.length > 0;
  }

  /** Begins something in a tab; what it does happens in the course of time. */
  begin(tab: Page, work: () => Promise<unknown>): void {
    const run = () => {
      if (tab.isDead) return;
      work().catch((error: unknown) => {
        // What a crash cuts short fails, and no code is left that could handle it.
        if (!tab.isDead) this.errors.push(error);
      });
    };
    this.clock.after(0, run, tab);
  }
}
