import {
  appendChanges,
  appendPage,
  beginLoad,
  compact,
  dropUnfinished,
  readState,
} from '../db/catalogue-log.ts';
import type { CatalogueState, CatalogueVersion, WeftDatabase } from '../db/database.ts';
import { CATALOGUE_FORMAT, CHUNK_ROWS, FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { CatalogueChanges, CatalogueRemote } from '../remote/catalogue.ts';

export interface CataloguePull {
  readonly db: WeftDatabase;
  readonly remote: CatalogueRemote;
  /** Milliseconds since 1970. A new load's generation takes it as its number. */
  readonly now: () => number;
  /** Kept from run to run of one page. */
  readonly memory: CatalogueMemory;
}

/**
 * A page loads a catalogue of another format again only until it has seen its own: two tabs of two builds
 * would otherwise load in turns.
 */
export interface CatalogueMemory {
  hasSeenOwnFormat: boolean;
}

/** Null when the catalogue is up to date, otherwise why it is not. */
export type CatalogueOutcome = BackendFailure | 'aborted' | null;

/** A run ends when it has begun more loads than this, because a server may name another epoch each time. */
const MOST_LOADS = 2;

/** The failure when an answer contains nothing new but says that there is more. The next run retries. */
const NO_PROGRESS: BackendFailure = {
  kind: 'rejected',
  status: 200,
  code: 'no-progress',
  message: 'the shop does not say where its products end',
};

/**
 * Brings this device's catalogue up to date: resumes or starts a load, then fetches the changes
 * since. Each step reads the stored state first and writes one transaction, so a run may be stopped
 * anywhere, and two tabs may run at once.
 */
export async function pullCatalogue(
  pull: CataloguePull,
  signal: AbortSignal,
): Promise<CatalogueOutcome> {
  const outcome = await takeSteps(pull, signal);
  return outcome !== null && signal.aborted ? 'aborted' : outcome;
}

async function takeSteps(
  { db, remote, now, memory }: CataloguePull,
  signal: AbortSignal,
): Promise<CatalogueOutcome> {
  let before: string | null = null;
  let loads = 0;
  while (!signal.aborted) {
    const state = await readState(db);
    const progress = progressOf(state);
    if (progress === before || loads > MOST_LOADS) return NO_PROGRESS;
    before = progress;
    const isForeign = state !== undefined && (state.load ?? state).format !== CATALOGUE_FORMAT;
    if (isForeign && memory.hasSeenOwnFormat) return null;
    if (state && !isForeign) memory.hasSeenOwnFormat = true;
    if (state?.load && isForeign) {
      await dropUnfinished(db);
      continue;
    }
    if (state?.load) {
      const { load } = state;
      const limit = load.after === null ? FIRST_PAGE_ROWS : CHUNK_ROWS;
      const page = await remote.page(load.after, limit, signal);
      if (!page.ok) return page.failure;
      // Only an empty page is the end: a server may answer fewer rows than it was asked for.
      await appendPage(db, load, page.value.length === 0 ? null : page.value);
      continue;
    }
    const version = state?.version ?? null;
    if (version !== null && !isForeign) {
      const answer = await remote.changes(version, signal);
      if (!answer.ok) return answer.failure;
      // An answer that announces more changes must name a later version. Otherwise storing it would replace the
      // stored version's stamp, and the next request would fail as well.
      if (answer.value.hasMore && answer.value.ver <= version.ver) return NO_PROGRESS;
      const isLost = !isOf(version, answer.value) || answer.value.ver < version.ver;
      if (!isLost) {
        const { rows, removed, ver, stamp, hasMore } = answer.value;
        await appendChanges(db, version, { rows, removed }, { ver, stamp });
        if (hasMore) continue;
        await compact(db, now());
        return null;
      }
    }
    const head = await remote.changes(null, signal);
    if (!head.ok) return head.failure;
    loads += 1;
    const { epoch, ver, stamp } = head.value;
    const stored = (await readState(db))?.version ?? null;
    await beginLoad(db, stored, { epoch, ver, stamp }, now());
  }
  return 'aborted';
}

/** The part of the state that every successful step changes, to notice a step without effect. */
function progressOf(state: CatalogueState | undefined): string {
  const { version, load } = state ?? {};
  return JSON.stringify([version, load?.generation, load?.after]);
}

/**
 * Whether the answer continues this version. False after a truncation or a restore, or when the server
 * has forgotten deletions since.
 */
function isOf(version: CatalogueVersion, { epoch, minVer, isKnown }: CatalogueChanges): boolean {
  return epoch === version.epoch && version.ver >= minVer && isKnown;
}
