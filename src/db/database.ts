import Dexie, { type DexieOptions, type Table } from 'dexie';
import type { CatalogueChunk } from '../domain/catalogue-chunk.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { ProductKey } from '../domain/product.ts';

/** One record of the catalogue's log; `generation` and `seq` are its key. */
export interface StoredChunk extends CatalogueChunk {
  readonly generation: number;
  readonly seq: number;
}

/** What the server calls a state of its catalogue: `ver` only means something within an epoch. */
export interface CatalogueVersion {
  readonly epoch: string;
  readonly ver: number;
}

/** A first load, or a load from the start again, and how far it has come. */
export interface CatalogueLoad {
  /** The generation that it fills. */
  readonly generation: number;
  readonly nextSeq: number;
  /** The server's newest version when the load began: changes after it are asked for when it ends. */
  readonly from: CatalogueVersion;
  /** The last product that has arrived; null before the first page. */
  readonly after: ProductKey | null;
}

/**
 * What the device holds of the catalogue. Every write to the log changes this row in the same
 * transaction, so following it is following the log.
 */
export interface CatalogueState {
  readonly key: 'catalogue';
  /** The generation that screens read. A number that is never used twice. */
  readonly generation: number;
  /** Chunks of that generation have a `seq` below this. */
  readonly nextSeq: number;
  /** How many of them came with the last load or rewrite; the rest are batches of changes. */
  readonly loadedChunks: number;
  /** What that generation is current to; null until its first load has ended. */
  readonly version: CatalogueVersion | null;
  readonly load: CatalogueLoad | null;
}

/** How the last attempt to bring the catalogue up to date ended. Deleting it asks for another. */
export interface CatalogueAttempt {
  readonly key: 'catalogue-attempt';
  readonly failure: BackendFailure | null;
}

/** This device's tables. */
export class WeftDatabase extends Dexie {
  declare readonly chunks: Table<StoredChunk, [generation: number, seq: number]>;
  declare readonly meta: Table<CatalogueState | CatalogueAttempt, string>;

  constructor(options: DexieOptions = {}) {
    super('weft', options);
    this.version(1).stores({ chunks: '[generation+seq]', meta: 'key' });
  }
}
