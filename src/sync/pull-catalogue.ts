import {
  advanceLoad,
  appendChanges,
  appendPage,
  beginLoad,
  compact,
  dropUnfinished,
  readResult,
  readState,
} from '../db/catalogue-log.ts';
import type { CatalogueLoad, CatalogueState, WeftDatabase } from '../db/database.ts';
import { CATALOGUE_FORMAT } from '../domain/catalogue-chunk.ts';
import { type Answer, type BackendFailure, isGone } from '../domain/failure.ts';
import type { CatalogueVersion } from '../domain/product.ts';
import type { CatalogueChanges, CatalogueRemote } from '../remote/catalogue.ts';

export interface CataloguePull {
  readonly db: WeftDatabase;
  readonly remote: CatalogueRemote;
  /** Milliseconds since 1970. A new load's generation takes it as its number. */
  readonly now: () => number;
  /** Pauses for a random time before a question past the CDN, which many phones may have at once. */
  readonly hesitate: (signal: AbortSignal) => Promise<void>;
  /** Kept from run to run of one page. */
  readonly memory: CatalogueMemory;
}

/**
 * A page replaces a catalogue of another format, unless it has already seen one of its own format: two tabs of two
 * builds would otherwise load in turns.
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
  { db, remote, now, hesitate, memory }: CataloguePull,
  signal: AbortSignal,
): Promise<CatalogueOutcome> {
  let before: string | null = null; // what `progressOf` said before the last step
  let loads = 0;
  /** The newest version by the CDN, which a run asks once. */
  let head: CatalogueVersion | null = null;
  // Whether to ask past the CDN. A screen that knows of changes before the CDN does (an import has ended) deletes the
  // stored result; its absence says so.
  let isPastCache = Boolean((await readState(db))?.version) && (await readResult(db)) === undefined;

  /** Whether the load under way has to be brought to the newest version before its next page. */
  let isBehind = false;

  /** Whether the last page that the load asked for was gone. */
  let wasGone = false;

  async function askForHead(): Promise<Answer<CatalogueVersion>> {
    if (head) return { ok: true, value: head };
    const answer = await remote.head(signal);
    if (answer.ok) head = answer.value;
    return answer;
  }

  /**
   * Starts a load of the newest version, unless another tab has stored a catalogue since this run read `stored`:
   * `newest` may then be the older one.
   */
  async function begin(stored: CatalogueVersion | null, newest: CatalogueVersion): Promise<void> {
    loads += 1;
    head = newest;
    await beginLoad(db, stored, newest, now());
  }

  /** Fetches the next page of a load; where its version is gone, brings the load to the newest version. */
  async function goOn(
    stored: CatalogueVersion | null,
    load: CatalogueLoad,
  ): Promise<CatalogueOutcome | 'more'> {
    if (!isBehind) {
      const page = await remote.page(load.version, load.after, signal);
      if (page.ok) {
        wasGone = false;
        await appendPage(db, load, page.value.rows, !page.value.hasMore);
        return 'more';
      }
      if (!isGone(page.failure)) return page.failure;
      // Gone twice in a row: an import is changing the catalogue, and all phones that load it are asking.
      if (wasGone) await hesitate(signal);
      wasGone = true;
    }
    // The load goes on from its place at the version that is the newest now.
    const answer = await remote.changes(load.version, null, signal);
    if (!answer.ok) return answer.failure;
    isBehind = answer.value.hasMore;
    if (isLost(load.version, answer.value)) {
      await dropUnfinished(db);
      await begin(stored, versionOf(answer.value));
    } else {
      await advanceLoad(db, load, answer.value, versionOf(answer.value));
      // Only an answer that has no more changes after it names the newest version.
      head = isBehind ? null : versionOf(answer.value);
    }
    return 'more';
  }

  /** Fetches the changes since a version that is stored whole. */
  async function update(version: CatalogueVersion): Promise<CatalogueOutcome | 'more'> {
    if (!isPastCache) {
      const newest = await askForHead();
      if (!newest.ok) return newest.failure;
      const { epoch, ver, stamp } = newest.value;
      if (stamp === version.stamp && ver === version.ver) {
        await compact(db, now());
        return null;
      }
      // An old head proves nothing: it may be of before this device's version, or of before a restore.
      if (epoch !== version.epoch || ver <= version.ver) {
        await hesitate(signal);
        isPastCache = true;
      }
    }
    const to = isPastCache ? null : head;
    const answer = await remote.changes(version, to, signal);
    if (!answer.ok) {
      if (to === null || !isGone(answer.failure)) return answer.failure;
      isPastCache = true;
      before = null; // this step has changed nothing, but the next step asks another address
      return 'more';
    }
    const { rows, removed, hasMore } = answer.value;
    if (to === null && isLost(version, answer.value)) {
      isPastCache = false;
      await begin(version, versionOf(answer.value));
      return 'more';
    }
    // An answer that announces more changes must name a later version. Otherwise the next request would be the same.
    if (answer.value.ver < version.ver + (hasMore ? 1 : 0)) return NO_PROGRESS;
    await appendChanges(db, version, { rows, removed }, versionOf(answer.value));
    if (hasMore) return 'more';
    await compact(db, now());
    return null;
  }

  while (!signal.aborted) {
    const state = await readState(db);
    const progress = progressOf(state);
    if (progress === before || loads > MOST_LOADS) return NO_PROGRESS;
    before = progress;
    const isForeign = state !== undefined && (state.load ?? state).format !== CATALOGUE_FORMAT;
    if (isForeign && memory.hasSeenOwnFormat) return null;
    if (state && !isForeign) memory.hasSeenOwnFormat = true;
    let outcome: CatalogueOutcome | 'more' = 'more';
    if (state?.load && isForeign) await dropUnfinished(db);
    else if (state?.load) outcome = await goOn(state.version, state.load);
    else if (state?.version && !isForeign) outcome = await update(state.version);
    else {
      const newest = await askForHead();
      if (!newest.ok) return newest.failure;
      await begin(state?.version ?? null, newest.value);
    }
    if (outcome !== 'more') return outcome;
  }
  return 'aborted';
}

function versionOf({ epoch, ver, stamp }: CatalogueVersion): CatalogueVersion {
  return { epoch, ver, stamp };
}

/** The part of the state that every successful step changes, to notice a step without effect. */
function progressOf(state: CatalogueState | undefined): string {
  const { version, load } = state ?? {};
  return JSON.stringify([version, load?.generation, load?.after, load?.version]);
}

/**
 * Whether the server cannot continue this version: its table was truncated or restored, or it has forgotten deletions
 * since. Only an answer past the CDN can tell.
 */
function isLost(version: CatalogueVersion, answer: CatalogueChanges): boolean {
  const { epoch, minVer, isKnown, ver } = answer;
  return epoch !== version.epoch || version.ver < minVer || !isKnown || ver < version.ver;
}
