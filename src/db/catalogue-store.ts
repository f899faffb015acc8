import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { createStore } from '../browser/store.ts';

/** The catalogue as screens see it at one moment. */
export interface CatalogueSnapshot {
  readonly index: CatalogueIndex;
  /** Counts the changes of `index`: later snapshots share that object, which changes in place. */
  readonly revision: number;
  /** Whether a load has ever been completed on this device. */
  readonly isComplete: boolean;
  /** Why the last update failed; null if it did not. */
  readonly failure: BackendFailure | null;
  /** How far into the log the index goes; null if unknown, so that the log is read from its beginning. */
  readonly position: LogPosition | null;
}

/** The position behind all chunks of a generation (of one load) whose number `seq` is below `nextSeq`. */
export interface LogPosition {
  readonly generation: number;
  readonly nextSeq: number;
}

/** The catalogue on this device; undefined until the first reading. */
export const catalogueStore = createStore<CatalogueSnapshot | undefined>(undefined);
