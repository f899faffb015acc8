import type { Facts } from './facts.ts';
import type { FakeDatabase } from './fake-database.ts';
import type { Functions } from './functions.ts';
import type { Job } from './jobs.ts';
import type { Oracle } from './oracle.ts';
import type { Providers } from './providers.ts';
import type { Run } from './run.ts';
import type { OrderVerdicts } from './verdicts.ts';

/** A world, as far as it is checked. */
export interface WorldView {
  readonly parts: Parts;
  readonly facts: Facts;
  readonly providers: Providers;
  readonly oracle: Oracle;
}

export interface Parts {
  readonly database: FakeDatabase;
  readonly functions: Functions;
  readonly verdicts: OrderVerdicts;
  /** Whether each of the shopper's requests asks the auth server first. */
  readonly checksTokens: boolean;
}

export interface Going {
  readonly job: Job;
  readonly run: Run;
  /** Whether a capture's money was there when PayPal answered it. */
  wasTaken: boolean;
  /** Sources of promises of which nothing needed to be said when its attempt began. */
  excused: readonly string[];
}
