import type { Outcome, Totals } from './totals.ts';

/** A model of part of the shop, in which random schedules of events run against the real code. */
export interface Model {
  /** The name of its task of `npm run soak`. */
  readonly task: string;
  /** @param project folder of a copy of the project with a bug in it; the project itself when absent */
  open(project?: string): Promise<OpenModel>;
  /** Sentences about what this number of schedules should have covered and did not, such as a rare fault. */
  shortcomings(totals: Totals): readonly string[];
}

/** A model that can run schedules, one after the other. */
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
