/** Makes and undoes imports part by part, as the function upload-csv does, and reads what they store. */
import { createHash, randomUUID } from 'node:crypto';
import type { ImportRow } from '../../supabase/local/sample.ts';
import type { TestShop } from './shop.ts';
import { clientOf } from './shop.ts';

export interface PartOptions {
  readonly user: string | null;
  readonly importId: string;
  readonly part?: number;
  readonly totalParts?: number | null;
  readonly rows: readonly ImportRow[];
  /** By default the digest of the rows. */
  readonly digest?: string;
  readonly rejected?: number;
}

/** Sends one part: by default the first, with no rejected rows, without saying how many parts follow. */
export function writePart(shop: TestShop, options: PartOptions) {
  const { user, importId, part = 0, totalParts = null, rows, rejected = 0 } = options;
  const digest = options.digest ?? createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  return clientOf(shop, shop.backend.secretKey).rpc('import_part', {
    p_import: importId,
    p_user: user,
    p_email: 'ada@weft.test',
    p_file_name: 'spring.csv',
    p_part: part,
    p_total_parts: totalParts,
    p_digest: digest,
    p_rows: rows,
    p_rejected: rejected,
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

/** How many products an undo has removed, restored and kept as they are, and how many are left to do. */
export interface Undone {
  readonly removed: number;
  readonly restored: number;
  readonly kept: number;
  readonly left: number;
}

/** Undoes at most `limit` products of an import. */
export function undo(
  shop: TestShop,
  user: string | null,
  importId: string,
  { limit = 10_000, isStaff = false }: { readonly limit?: number; readonly isStaff?: boolean } = {},
) {
  return clientOf(shop, shop.backend.secretKey).rpc('undo_import', {
    p_user: user,
    p_import: importId,
    p_limit: limit,
    // The previous build does not send this argument.
    ...(isStaff ? { p_staff: true } : {}),
  });
}

/** Undoes an import in steps until nothing is left. */
export async function undoAll(...options: Parameters<typeof undo>): Promise<Undone> {
  for (;;) {
    const { data } = await undo(...options).throwOnError();
    const undone = data as Undone;
    if (undone.left === 0) return undone;
  }
}

export interface LastImport {
  readonly import_id: string;
  readonly by_me: boolean;
  readonly can_undo: boolean;
  readonly state: string;
}

export async function lastImport(shop: TestShop, user: string): Promise<LastImport | null> {
  const { data } = await clientOf(shop, shop.backend.secretKey)
    .rpc('last_import', { p_user: user })
    .throwOnError();
  return data as LastImport | null;
}

/** The row of an import in the database. */
export async function storedImport({ backend }: TestShop, importId: unknown) {
  const [row] = await backend.query('select * from public.imports where id = $1', [importId]);
  return row;
}

export interface RecentImport {
  readonly import_id: string;
  readonly undo: string;
}

export async function recentImports(
  shop: TestShop,
  user: string,
): Promise<readonly RecentImport[]> {
  const { data } = await clientOf(shop, shop.backend.secretKey)
    .rpc('recent_imports', { p_user: user, p_staff: false })
    .throwOnError();
  return data as readonly RecentImport[];
}

/** The products without ids and versions, which are new after each change. */
export function table(shop: TestShop) {
  return shop.backend.query(`
    select "SKC", "Size", "Images link", "Category 1", "Category 2", "Category 3", "Category 4",
      "Retail Price", "Material", "Fabric Composition"
    from public.products order by "SKC", "Size"`);
}
