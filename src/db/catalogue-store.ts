import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { createStore } from '../browser/store.ts';

/** What a screen may know of the catalogue at one moment. */
export interface CatalogueSnapshot {
  readonly index: CatalogueIndex;
  /** The index's revision: two snapshots of one index differ in it. */
  readonly revision: number;
  /** Whether a load has ever been completed on this device. */
  readonly isComplete: boolean;
  /** Why the last attempt to bring it up to date failed. */
  readonly failure: BackendFailure | null;
  /** How far into the log the index goes; null while nothing of it is from there. */
  readonly place: LogPlace | null;
}

/** Everything of a generation below `nextSeq`. */
export interface LogPlace {
  readonly generation: number;
  readonly nextSeq: number;
}

/** The catalogue as this device has it; undefined until it was read. */
export const catalogueStore = createStore<CatalogueSnapshot | undefined>(undefined);
