/** Makes and undoes imports part by part, as the functions upload-csv and undo-import do. */
import { createHash, randomUUID } from 'node:crypto';
import type { ImportRow } from '../../supabase/local/sample.ts';
import { clientOf, type TestShop } from './shop.ts';

/** One part of an import. */
interface PartOptions {
  /** The account that imports; null for the server itself. */
  readonly user: string | null;
  readonly importId: string;
  /** Its number, from 0. */
  readonly part?: number;
  /** How many parts the import has, where the sender knows it. */
  readonly totalParts?: number | null;
  readonly rows: readonly ImportRow[];
  /** How many rows of the file were rejected before it was sent. */
  readonly rejected?: number;
  /** Whether the file is the whole range of the shop. */
  readonly isRange?: boolean;
  /** Rows that no part holds, but that keep their products on sale; a size of null means all sizes. */
  readonly kept?: readonly (readonly [skc: string, size: string | null])[];
  readonly fileDigest?: string;
  /** Products that the file says are not on sale. */
  readonly hidden?: readonly (readonly [skc: string, size: string])[];
}

/** Calls a function of the database with the rights of the server. */
const callAsServer = (shop: TestShop, name: string, args: object) =>
  clientOf(shop, shop.backend.secretKey).rpc(name, args);

/** Sends one part: by default the first, with no rejected rows, without saying how many parts follow. */
export function writePart(shop: TestShop, options: PartOptions) {
  const { user, importId, part = 0, totalParts = null, rows, rejected = 0 } = options;
  const { isRange = false, kept = [], hidden = [] } = options;
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  return callAsServer(shop, 'import_part', {
    p_import: importId,
    p_user: user,
    p_email: 'ada@weft.test',
    p_file_name: 'spring.csv',
    p_part: part,
    p_total_parts: totalParts,
    p_digest: digest,
    p_rows: rows,
    p_rejected: rejected,
    p_file_digest: options.fileDigest ?? null,
    p_is_range: isRange,
    p_kept: kept,
    p_hidden: hidden,
  });
}

/** Makes an import of one part, and returns its id. */
export async function importWhole(
  shop: TestShop,
  user: string | null,
  rows: readonly ImportRow[],
): Promise<string> {
  const importId = randomUUID();
  await writePart(shop, { user, importId, totalParts: 1, rows }).throwOnError();
  return importId;
}

/** Ends an import of the whole range. */
export function endRange(
  shop: TestShop,
  user: string | null,
  importId: string,
  confirmed: number | null = null,
) {
  const args = { p_user: user, p_import: importId, p_confirmed: confirmed };
  return callAsServer(shop, 'end_range', args);
}

/** How many products an undo has removed, restored and kept as they are, and how many are left to do. */
interface Undone {
  readonly removed: number;
  readonly restored: number;
  readonly kept: number;
  readonly left: number;
}

/** Undoes at most `limit` products of an import. `isStaff` permits imports of other accounts. */
export function undo(
  shop: TestShop,
  user: string | null,
  importId: string,
  { limit = 10_000, isStaff = false }: { readonly limit?: number; readonly isStaff?: boolean } = {},
) {
  return callAsServer(shop, 'undo_import', {
    p_user: user,
    p_import: importId,
    p_limit: limit,
    p_staff: isStaff,
  });
}

/** Undoes an import in steps until no product is left. */
export async function undoAll(...options: Parameters<typeof undo>): Promise<Undone> {
  for (;;) {
    const { data } = await undo(...options).throwOnError();
    const undone = data as Undone;
    if (undone.left === 0) return undone;
  }
}

/** The row of an import in the database. */
export async function storedImport({ backend }: Pick<TestShop, 'backend'>, importId: unknown) {
  const [row] = await backend.query('select * from public.imports where id = $1', [importId]);
  return row;
}

/** An import in the list on the import page. */
interface RecentImport {
  readonly import_id: string;
  readonly by_me: boolean;
  readonly state: string;
  /** `now`, `gone` (another has changed something since), `foreign` or `done`. */
  readonly undo: string;
}

/** The imports that the page lists for an account, the newest first. */
export async function recentImports(shop: TestShop, user: string) {
  const args = { p_user: user, p_staff: false };
  const { data } = await callAsServer(shop, 'recent_imports', args).throwOnError();
  return data as readonly RecentImport[];
}

/** The first of these: one whose undo has begun, or the last that changed anything. */
export async function lastImport(shop: TestShop, user: string) {
  return (await recentImports(shop, user))[0];
}

/** All products on sale, without their ids and versions: those differ after an undo. */
export function storedProducts(shop: TestShop) {
  return shop.backend.query(`
    select "SKC", "Size", "Images link", "Category 1", "Category 2", "Category 3", "Category 4",
      "Retail Price", "Material", "Fabric Composition"
    from public.products where not off_sale order by "SKC", "Size"`);
}
