import type { Totals } from './totals.ts';
import type { Violation } from './verdicts.ts';

/** A model of part of the shop, in which random schedules of events run against the real code. */
export interface Model {
  /** Its task of `npm run soak`. */
  readonly task: string;
  /** @param project folder of a copy of the project with a bug in it */
  open(project?: string): Promise<OpenModel>;
  /** What so many schedules should show and these do not, in sentences. */
  shortcomings(totals: Totals): readonly string[];
}

/** What its schedules share: they run one after the other. */
export interface OpenModel {
  /**
   * Runs one schedule.
   *
   * @param log takes a readable account of everything that happens
   * @throws when the model itself, and not the shop, does something wrong
   */
  run(seed: number, log?: (line: string) => void): Promise<Outcome>;
  close(): Promise<unknown>;
}

/** What a schedule has come to. Plain data, so that it can be sent from one process to another. */
export interface Outcome {
  readonly seed: number;
  readonly counts: Counts;
  readonly faults: Counts;
  /** Values of which the distribution is told, such as times in milliseconds. */
  readonly measures?: readonly (readonly [name: string, values: readonly number[]])[];
  readonly violations: readonly Violation[];
}

type Counts = readonly (readonly [name: string, count: number])[];
