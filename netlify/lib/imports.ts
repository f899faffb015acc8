/** What the functions for imports share: who may import, and the calls of the database's functions. */
import { createHash, randomUUID } from 'node:crypto';
import type { ProductInFile } from '../../src/csv/products.ts';
import { fieldsOf } from '../../src/domain/fields.ts';
import type { LeftOut } from '../../src/domain/row-counts.ts';
import { type Caller, requireCaller } from './auth.ts';
import { purgeCatalogue } from './catalogue-cache.ts';
import { callDatabase, IMPORT_TIMEOUT_MS } from './database.ts';
import { type BackendSettings, backendSettings, importRole } from './env.ts';
import { HttpError, httpErrorOf } from './http.ts';
import type { PartPosition, RowsAside } from './import-request.ts';

/** The embedded database takes half a second for this many rows, a hosted one less. */
export const MAX_ROWS_PER_PART = 10_000;
/** Limit of an upload that names no import; `writeInParts` divides it. */
export const MAX_ROWS_PER_REQUEST = 100_000;
const PRODUCTS_PER_UNDO_STEP = 10_000;

/** Any signed-in user may import, unless the shop requires a role (IMPORT_ROLE). */
export function mayImport(caller: Caller, requiredRole: string | null): boolean {
  return requiredRole === null || caller.role === requiredRole;
}

export interface Importer {
  readonly caller: Caller;
  readonly settings: BackendSettings;
}

/** @throws HttpError 401 without a good token, 403 without the role; NotConfigured */
export async function admitImporter(request: Request): Promise<Importer> {
  const settings = backendSettings();
  const caller = await requireCaller(request, settings);
  const requiredRole = importRole();
  if (!mayImport(caller, requiredRole)) {
    throw new HttpError(403, `Only accounts with the role "${requiredRole}" may import products.`);
  }
  return { caller, settings };
}

/** What is written of an upload. */
export interface ImportContent {
  readonly fileName: string | null;
  /** Of the whole file, by which its import is found again; null where the sender named none. */
  readonly fileDigest: string | null;
  /** Equal digests mean equal content. */
  readonly digest: string;
  readonly products: readonly ProductInFile[];
  /** The rows of the file that are not among the products. */
  readonly leftOut: LeftOut;
  readonly aside: RowsAside;
}

export interface PartCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly off_sale: number;
}

/**
 * Writes one part, or returns its counts where the database has it already.
 *
 * @throws HttpError 410 for an account that was deleted meanwhile, 404 for an import of another user, 409
 *   where the import was undone or the part arrived before with other content
 */
export async function writePart(
  settings: BackendSettings,
  { id, email }: Caller,
  { importId, part, totalParts }: PartPosition,
  content: ImportContent,
): Promise<PartCounts> {
  const counts = await callImports(settings, 'import_part', {
    p_import: importId,
    p_user: id,
    p_email: email,
    p_file_name: content.fileName,
    p_file_digest: content.fileDigest,
    p_part: part,
    p_total_parts: totalParts,
    p_digest: content.digest,
    p_rows: content.products.map(({ row }) => row),
    p_rejected: content.leftOut.rejected,
    p_replaced: content.leftOut.replaced,
    p_skipped: content.leftOut.skipped,
    p_is_range: content.aside.isRange,
    p_kept: content.aside.kept,
    p_hidden: content.aside.hidden,
  });
  // An earlier part, sent at the same time, may be written after this purge. Then the CDN is behind for seconds only.
  if (part + 1 === totalParts) await purgeCatalogue();
  return counts as PartCounts; // what import_part returns
}

const NONE_LEFT_OUT: LeftOut = { replaced: 0, rejected: 0, skipped: 0 };
const NONE_ASIDE: RowsAside = { isRange: false, kept: [], hidden: [] };

/**
 * Writes an upload that names no import as a new import, in as many parts as it needs. Throws the same
 * errors as `writePart`.
 */
export async function writeInParts(
  settings: BackendSettings,
  caller: Caller,
  content: ImportContent,
): Promise<PartCounts & { readonly importId: string }> {
  const importId = randomUUID();
  // An upload without products, with keys in `aside` alone, is one part too.
  const totalParts = Math.max(1, Math.ceil(content.products.length / MAX_ROWS_PER_PART));
  const total = { importId, inserted: 0, updated: 0, unchanged: 0, rejected: 0, off_sale: 0 };
  for (let part = 0; part < totalParts; part += 1) {
    const from = part * MAX_ROWS_PER_PART;
    const position = { importId, part, totalParts };
    const counts = await writePart(settings, caller, position, {
      ...content,
      products: content.products.slice(from, from + MAX_ROWS_PER_PART),
      leftOut: part === 0 ? content.leftOut : NONE_LEFT_OUT,
      aside: part === 0 ? content.aside : { ...NONE_ASIDE, isRange: content.aside.isRange },
    });
    total.inserted += counts.inserted;
    total.updated += counts.updated;
    total.unchanged += counts.unchanged;
    total.rejected += counts.rejected;
    total.off_sale += counts.off_sale;
  }
  return total;
}

/**
 * Does one step of an undo. Returns how many products were removed, restored and kept since the undo began,
 * and how many are left: `{ removed, restored, kept, left }`. A product that has changed since the import is
 * kept as it is.
 *
 * @throws HttpError 404 for an import of another user where importers need no role, 409 where a later import has
 *   changed something
 */
export async function undoStep(
  settings: BackendSettings,
  caller: Caller,
  importId: string,
  { mayUndoOthers } = { mayUndoOthers: isStaffOnly() },
) {
  const step = await callImports(settings, 'undo_import', {
    p_user: caller.id,
    p_import: importId,
    p_limit: PRODUCTS_PER_UNDO_STEP,
    p_staff: mayUndoOthers,
  });
  if (fieldsOf(step)['left'] === 0) await purgeCatalogue();
  return step;
}

/** The last imports, newest first, in the form that the page shows. */
export async function recentImports(
  settings: BackendSettings,
  caller: Caller,
): Promise<readonly object[]> {
  const args = { p_user: caller.id, p_staff: isStaffOnly() };
  return (await callImports(settings, 'recent_imports', args)) as readonly object[];
}

/** Takes off sale what a file of the whole range lacks: `{ leaving, of, done }`. */
export async function endRange(
  settings: BackendSettings,
  caller: Caller,
  importId: string,
  confirmed: number | null,
) {
  const ended = await callImports(settings, 'end_range', {
    p_user: caller.id,
    p_import: importId,
    p_confirmed: confirmed,
  });
  if (fieldsOf(ended)['done'] === true) await purgeCatalogue();
  return ended;
}

/** The caller's import of a file that has not ended, as `{ import_id, started_at }`; null for none. */
export function unfinishedImport(settings: BackendSettings, caller: Caller, fileDigest: string) {
  return callImports(settings, 'unfinished_import', {
    p_user: caller.id,
    p_file_digest: fileDigest,
  });
}

/** Whether importers need a role; then each of them may undo the imports of the others. */
function isStaffOnly(): boolean {
  return importRole() !== null;
}

/** The digest of an upload: what the server writes depends on all of these. */
export function digestOf(csv: string, blankCellsClear: boolean, aside: RowsAside): string {
  const content = JSON.stringify([blankCellsClear, aside]) + csv;
  return createHash('sha256').update(content).digest('hex');
}

/** @throws HttpError where the database rejected the call with a sentence for the user who imports */
export async function callImports(
  settings: BackendSettings,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await callDatabase(settings, name, args, IMPORT_TIMEOUT_MS);
  } catch (thrown) {
    throw httpErrorOf(thrown) ?? thrown;
  }
}
