import type { Outcome, Totals } from './totals.ts';

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
