/**
 * The catalogue on this device: a log of chunks, and a row of `meta` with its state.
 *
 * A load writes its pages as chunks of a new generation. Screens read the old generation until the
 * new one is complete; the very first load is shown page by page. A batch of changes is one more
 * chunk. Every write names the state that it expects; if another tab was faster, it does nothing.
 */
import Dexie from 'dexie';
import { CatalogueIndex } from '../domain/catalogue-index.ts';
import { CATALOGUE_FORMAT, CHUNK_ROWS, encodeChunk } from '../domain/catalogue-chunk.ts';
import {
  type CatalogueVersion,
  keyOf,
  type ProductRow,
  type VersionName,
} from '../domain/product.ts';
import type {
  CatalogueResult,
  CatalogueLoad,
  CatalogueState,
  StoredChunk,
  WeftDatabase,
} from './database.ts';

/** New and changed products, and the ids of those that left. */
export interface ChangeBatch {
  readonly rows: readonly ProductRow[];
  readonly removed: readonly number[];
}

/** The rows of `meta` that belong to the catalogue. */
const CATALOGUE_KEYS = ['catalogue', 'catalogue-result'];

export function readState(db: WeftDatabase): Promise<CatalogueState | undefined> {
  return db.meta.get('catalogue');
}

export function readResult(db: WeftDatabase): Promise<CatalogueResult | undefined> {
  return db.meta.get('catalogue-result');
}

export async function recordResult(
  db: WeftDatabase,
  failure: CatalogueResult['failure'],
): Promise<void> {
  // The answer's fields may be long, and no screen shows them.
  const stored = failure?.kind === 'rejected' ? { ...failure, fields: {} } : failure;
  await db.meta.put({ key: 'catalogue-result', failure: stored });
}

export async function forgetResult(db: WeftDatabase): Promise<void> {
  await db.meta.delete('catalogue-result');
}

/** The chunks of a generation from `seq` on, in the order of the log. */
export function readChunks(
  db: WeftDatabase,
  generation: number,
  seq: number,
): PromiseLike<StoredChunk[]> {
  return db.chunks
    .where('[generation+seq]')
    .between([generation, seq], [generation, Dexie.maxKey])
    .toArray();
}

/**
 * Starts a load of the whole catalogue, if none is running and the stored version still is `expected`.
 *
 * @param newest the server's newest version now
 * @param generation a number that was never used before
 */
export function beginLoad(
  db: WeftDatabase,
  expected: CatalogueVersion | null,
  newest: CatalogueVersion,
  generation: number,
): Promise<void> {
  return update(db, async (state) => {
    if (state?.load || !isSame(state?.version ?? null, expected)) return undefined;
    const format = CATALOGUE_FORMAT;
    const load: CatalogueLoad = { generation, nextSeq: 0, version: newest, after: null, format };
    if (state?.version) return { ...state, load };
    const empty = { generation, nextSeq: 0, loadedChunks: 0, version: null };
    return { key: 'catalogue', ...empty, format, load };
  });
}

/**
 * Appends the next products of the load `expected`. With `isLast` the load ends: screens then read its generation.
 * They are stored as several chunks, so that no task of the page takes long.
 */
export function appendPage(
  db: WeftDatabase,
  expected: CatalogueLoad,
  rows: readonly ProductRow[],
  isLast: boolean,
): Promise<void> {
  return update(db, async (state) => {
    const load = state?.load;
    if (!state || !load || !isSameLoad(load, expected)) return undefined;
    const { generation, version, format } = load;
    let seq = load.nextSeq;
    for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
      const chunk = encodeChunk(rows.slice(at, at + CHUNK_ROWS));
      await db.chunks.add({ ...chunk, generation, seq });
      seq += 1;
    }
    if (isLast) {
      if (state.generation !== generation) await deleteGeneration(db, state.generation);
      return { ...state, generation, nextSeq: seq, loadedChunks: seq, version, format, load: null };
    }
    const last = rows.at(-1);
    return withLoad(state, { ...load, nextSeq: seq, after: last ? keyOf(last) : load.after });
  });
}

/** Brings the products that the load `expected` has so far to the version `next`, by these changes. */
export function advanceLoad(
  db: WeftDatabase,
  expected: CatalogueLoad,
  { rows, removed }: ChangeBatch,
  next: VersionName,
): Promise<void> {
  return update(db, async (state) => {
    const load = state?.load;
    if (!state || !load || !isSameLoad(load, expected)) return undefined;
    const { generation, nextSeq: seq, version } = load;
    // Before the first page there is nothing that the changes could change.
    const isEmpty = load.after === null || rows.length + removed.length === 0;
    if (!isEmpty) await db.chunks.add({ ...encodeChunk(rows, removed), generation, seq });
    const nextSeq = isEmpty ? seq : seq + 1;
    return withLoad(state, { ...load, nextSeq, version: { ...version, ...next } });
  });
}

/** Appends a batch of changes that brings the catalogue from `expected` to `next`. */
export function appendChanges(
  db: WeftDatabase,
  expected: CatalogueVersion,
  batch: ChangeBatch,
  next: VersionName,
): Promise<void> {
  return update(db, async (state) => {
    const version = state?.version;
    if (!version || !isSame(version, expected) || state.format !== CATALOGUE_FORMAT)
      return undefined;
    const { generation, nextSeq: seq } = state;
    const isEmpty = batch.rows.length === 0 && batch.removed.length === 0;
    if (!isEmpty)
      await db.chunks.add({ ...encodeChunk(batch.rows, batch.removed), generation, seq });
    return { ...state, nextSeq: isEmpty ? seq : seq + 1, version: { ...version, ...next } };
  });
}

/**
 * Rewrites the log without overridden rows, once the batches of changes outnumber the loaded chunks by 32.
 * So the work stays in proportion to what was received, and a small catalogue is not rewritten all the time.
 *
 * @param generation the new log's: a number that was never used before
 */
export async function compact(db: WeftDatabase, generation: number): Promise<void> {
  const state = await readState(db);
  if (!state || state.load || state.nextSeq < 2 * state.loadedChunks + 32) return;
  const index = new CatalogueIndex();
  for (const chunk of await readChunks(db, state.generation, 0)) index.apply(chunk);
  const rows = index.rows();
  const chunks: StoredChunk[] = [];
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    const chunk = encodeChunk(rows.slice(at, at + CHUNK_ROWS));
    chunks.push({ ...chunk, generation, seq: chunks.length });
  }
  await update(db, async (now) => {
    if (now?.generation !== state.generation || now.nextSeq !== state.nextSeq) return undefined;
    await deleteGeneration(db, state.generation);
    await db.chunks.bulkAdd(chunks);
    return { ...now, generation, nextSeq: chunks.length, loadedChunks: chunks.length };
  });
}

/** Deletes the catalogue; the next sync loads it again. */
export async function forgetCatalogue(db: WeftDatabase): Promise<void> {
  await db.transaction('rw', db.chunks, db.meta, async () => {
    await db.chunks.clear();
    await db.meta.bulkDelete(CATALOGUE_KEYS);
  });
}

/** Deletes an unfinished load. A complete generation stays. */
export function dropUnfinished(db: WeftDatabase): Promise<void> {
  return db.transaction('rw', db.chunks, db.meta, async () => {
    const state = await readState(db);
    if (!state?.load) return;
    await deleteGeneration(db, state.load.generation);
    if (state.version) await db.meta.put({ ...state, load: null });
    else await db.meta.bulkDelete(CATALOGUE_KEYS);
  });
}

/** The state with a load that goes on. Screens read its generation page by page where they have no other. */
function withLoad(state: CatalogueState, load: CatalogueLoad): CatalogueState {
  const isShown = state.generation === load.generation;
  return { ...state, nextSeq: isShown ? load.nextSeq : state.nextSeq, load };
}

function isSameLoad(a: CatalogueLoad, b: CatalogueLoad): boolean {
  return a.generation === b.generation && a.nextSeq === b.nextSeq && isSame(a.version, b.version);
}

function isSame(a: CatalogueVersion | null, b: CatalogueVersion | null): boolean {
  if (a === null || b === null) return a === b;
  return a.epoch === b.epoch && a.ver === b.ver && a.stamp === b.stamp;
}

/** Runs `step` on the log in a transaction. `step` returns the new state, or undefined to change nothing. */
function update(
  db: WeftDatabase,
  step: (state: CatalogueState | undefined) => Promise<CatalogueState | undefined>,
): Promise<void> {
  return db.transaction('rw', db.chunks, db.meta, async () => {
    const next = await step(await readState(db));
    if (next) await db.meta.put(next);
  });
}

function deleteGeneration(db: WeftDatabase, generation: number): PromiseLike<number> {
  return db.chunks
    .where('[generation+seq]')
    .between([generation, Dexie.minKey], [generation, Dexie.maxKey])
    .delete();
}
