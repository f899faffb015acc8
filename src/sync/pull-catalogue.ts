import {
  appendChanges,
  appendPage,
  beginLoad,
  compact,
  readState,
  verify,
  versionOf,
} from '../db/catalogue-log.ts';
import type { CatalogueState, CatalogueVersion, WeftDatabase } from '../db/database.ts';
import { CHUNK_ROWS, FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { CatalogueChanges, CataloguePlace, CatalogueRemote } from '../remote/catalogue.ts';

export interface CataloguePull {
  readonly db: WeftDatabase;
  readonly remote: CatalogueRemote;
  /** A number that grows; a generation is named by it. */
  readonly now: () => number;
}

/** Null when all is current, or why it is not. */
export type CatalogueOutcome = BackendFailure | 'aborted' | null;

/** One run begins no more loads: a server that always names another epoch must not be hammered. */
const MOST_LOADS = 2;

/** An answer that leads nowhere, such as "more" without anything new. The next run asks again. */
const NO_PROGRESS: BackendFailure = {
  kind: 'rejected',
  status: 200,
  code: 'no-progress',
  message: 'the shop does not say where its products end',
};

/**
 * Brings this device's catalogue up to date: goes on with a load that was cut, or starts one, then
 * takes the changes since. Each step reads afresh where things stand and is one transaction, so it
 * may be stopped anywhere and may run in two tabs at once.
 */
export async function pullCatalogue(
  pull: CataloguePull,
  signal: AbortSignal,
): Promise<CatalogueOutcome> {
  const outcome = await takeSteps(pull, signal);
  return outcome !== null && signal.aborted ? 'aborted' : outcome;
}

async function takeSteps(
  { db, remote, now }: CataloguePull,
  signal: AbortSignal,
): Promise<CatalogueOutcome> {
  let before: string | null = null;
  let loads = 0;
  while (!signal.aborted) {
    const state = await readState(db);
    const here = placeOf(state);
    if (here === before || loads > MOST_LOADS) return NO_PROGRESS;
    before = here;
    if (state?.load) {
      const { load } = state;
      const limit = load.after === null ? FIRST_PAGE_ROWS : CHUNK_ROWS;
      const page = await remote.page(load.after, limit, signal);
      if (!page.ok) return page.failure;
      const { rows, version } = page.value;
      // Only an empty page is the end: a server may answer fewer rows than it was asked for.
      await appendPage(db, load, rows.length === 0 ? null : rows, version);
      continue;
    }
    const version = state?.version ?? null;
    const answer = await remote.changes(version && askedAbout(version), signal);
    if (!answer.ok) return answer.failure;
    if (version === null) {
      loads += 1;
      await beginLoad(db, null, newestOf(answer.value), now());
      continue;
    }
    let isLost = !isOf(version, answer.value) || answer.value.ver < version.ver;
    if (!isLost) {
      const { rows, removed, ver, stamp, hasMore } = answer.value;
      await appendChanges(db, version, { rows, removed }, ver, stamp);
      if (hasMore) continue;
    }
    // Asked only now: what these changes follow on from was there then, if it is there still.
    for (const readAt of isLost ? [] : (state?.unverified ?? [])) {
      const known = await remote.changes(readAt, signal, 1);
      if (!known.ok) return known.failure;
      isLost = !isOf({ ...version, ver: readAt.ver }, known.value);
      if (isLost) break;
      await verify(db, readAt);
    }
    if (!isLost) {
      await compact(db, now());
      return null;
    }
    const head = await remote.changes(null, signal);
    if (!head.ok) return head.failure;
    loads += 1;
    const present = (await readState(db))?.version ?? null;
    await beginLoad(db, present, newestOf(head.value), now());
  }
  return 'aborted';
}

/** Every step that leads on changes it. */
function placeOf(state: CatalogueState | undefined): string {
  const { version, load } = state ?? {};
  return JSON.stringify([version, load?.generation, load?.after]);
}

/** False for other numbers, deletions forgotten, or a database put back to an earlier day. */
function isOf(version: CatalogueVersion, { epoch, minVer, isKnown }: CatalogueChanges): boolean {
  return epoch === version.epoch && version.ver >= minVer && isKnown;
}

function newestOf({ epoch, ver, stamp }: CatalogueChanges): CatalogueVersion {
  return versionOf(epoch, ver, stamp);
}

/** The stamp goes along as long as it is that of this version. */
function askedAbout({ ver, stamp, stampedVer }: CatalogueVersion): CataloguePlace {
  return stamp !== undefined && stampedVer === ver ? { ver, stamp } : { ver };
}
