/** A small catalogue on a device, the ids of two shoppers, and what the server rejected of theirs. */
import { appendPage, beginLoad, readState } from '../../src/db/catalogue-log.ts';
import type { CatalogueState, WeftDatabase } from '../../src/db/database.ts';
import type { ProductRow } from '../../src/domain/product.ts';

export const ANNA = '0b8f8a3e-0000-4000-8000-000000000001';
export const BERTA = '0b8f8a3e-0000-4000-8000-000000000002';

/** A row of a change that the server has rejected. */
export function rejectedRow(uid: string, id: string) {
  const madeAt = '2026-11-21T00:00:00.000Z';
  const args = { productId: 9 };
  const change = { id, schema: 1, madeAt, baseVer: 0, kind: 'favourite.add', args } as const;
  return { id, uid, change, message: 'sold out' };
}

/** A product, as the catalogue stores it. */
export function productRow(id: number): ProductRow {
  return [id, `S-${id}`, 'M', null, 'Tee', null, null, null, 9, null, null];
}

/** Stands for the end of a load, after its last page. */
export const END_OF_LOAD = null;

/**
 * Stores pages of products as the first load does.
 *
 * @param generation the number of the load; screens show the newest complete one
 * @param expected the version of the catalogue that the device has already
 */
export async function storePages(
  db: WeftDatabase,
  generation: number,
  pages: readonly (readonly ProductRow[] | typeof END_OF_LOAD)[],
  expected: CatalogueState['version'] = null,
): Promise<void> {
  await beginLoad(
    db,
    expected,
    { epoch: 'one', ver: generation, stamp: String(generation) },
    generation,
  );
  for (const rows of pages) {
    const load = (await readState(db))?.load;
    if (load) await appendPage(db, load, rows ?? [], rows === END_OF_LOAD);
  }
}
