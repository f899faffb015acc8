import type { Facts } from './facts.ts';
import type { ModelDatabase } from './model-database.ts';
import type { Functions } from './functions.ts';
import type { Job } from './jobs.ts';
import type { Oracle } from './oracle.ts';
import type { Providers } from './providers.ts';
import type { Run } from './run.ts';
import type { OrderVerdicts } from './verdicts.ts';

/** What the checks read of a world. */
export interface WorldView {
  readonly parts: Parts;
  readonly facts: Facts;
  readonly providers: Providers;
  readonly oracle: Oracle;
  readonly verdicts: OrderVerdicts;
}

/** What all worlds of a schedule or search share. */
export interface Parts {
  readonly database: ModelDatabase;
  readonly functions: Functions;
  readonly verdicts: OrderVerdicts;
  /** Whether each of the shopper's requests asks the auth server first. */
  readonly checksTokens: boolean;
}

/** A job that a function is running. */
export interface ActiveJob {
  readonly job: Job;
  readonly run: Run;
  /** Of a capture: whether PayPal had taken the money when it answered. */
  wasTaken: boolean;
  /** Of a press of Pay: sources of earlier promises about which the shop need not ask (promises.ts). */
  excused: readonly string[];
}
