import type { Facts } from './facts.ts';
import type { ModelDatabase } from './model-database.ts';
import type { Functions } from './functions.ts';
import type { Job } from './jobs.ts';
import type { Oracle } from './oracle.ts';
import type { Providers } from './providers.ts';
import type { Run } from './run.ts';
import type { OrderVerdicts } from './verdicts.ts';

/** The part of a world that the checks read. */
export interface WorldView {
  readonly parts: Parts;
  readonly facts: Facts;
  readonly providers: Providers;
  readonly oracle: Oracle;
  readonly verdicts: OrderVerdicts;
}

/** What a world is made of. */
export interface Parts {
  readonly database: ModelDatabase;
  readonly functions: Functions;
  readonly verdicts: OrderVerdicts;
}

/** A job that a function is running. */
export interface ActiveJob {
  readonly job: Job;
  readonly run: Run;
  /** For a capture: whether PayPal had taken the money when it answered. */
  isMoneyTaken: boolean;
  /** For a press of Pay: sources of the earlier promises that are excused (promises.ts). */
  excused: readonly string[];
}
