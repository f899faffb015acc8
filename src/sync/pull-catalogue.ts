import { appendChanges, appendPage, beginLoad, compact, readState } from '../db/catalogue-log.ts';
import type { WeftDatabase } from '../db/database.ts';
import { CHUNK_ROWS, FIRST_PAGE_ROWS } from '../domain/catalogue-chunk.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { CatalogueRemote } from '../remote/catalogue.ts';

export interface CataloguePull {
  readonly db: WeftDatabase;
  readonly remote: CatalogueRemote;
  /** A number that grows; a generation is named by it. */
  readonly now: () => number;
}

/**
 * Brings this device's catalogue up to date: goes on with a load that was cut, or starts one, then
 * takes the changes since. Each step reads afresh where things stand and is one transaction, so it
 * may be stopped anywhere and may run in two tabs at once.
 * Returns null when all is current, or why it is not.
 */
export async function pullCatalogue(
  { db, remote, now }: CataloguePull,
  signal: AbortSignal,
): Promise<BackendFailure | null> {
  while (!signal.aborted) {
    const state = await readState(db);
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
    const answer = await remote.changes(version?.ver ?? null, signal);
    if (!answer.ok) return answer.failure;
    const { epoch, minVer, ver, hasMore, rows, removed } = answer.value;
    if (version === null) {
      await beginLoad(db, null, { epoch, ver }, now());
    } else if (epoch !== version.epoch || version.ver < minVer || ver < version.ver) {
      // Other numbers, deletions forgotten, or a database put back to an earlier day.
      const head = await remote.changes(null, signal);
      if (!head.ok) return head.failure;
      const from = { epoch: head.value.epoch, ver: head.value.ver };
      await beginLoad(db, version, from, now());
    } else {
      await appendChanges(db, version, { rows, removed }, ver);
      if (!hasMore) {
        await compact(db, now());
        return null;
      }
    }
  }
  return { kind: 'offline' };
}
