/** What the import functions share: who may import, and the database's functions for it. */
import { createHash, randomUUID } from 'node:crypto';
import type { ProductInFile } from '../../src/csv/products.ts';
import type { Caller } from './auth.ts';
import { requireCaller } from './auth.ts';
import { callDatabase, DatabaseRejection, IMPORT_TIMEOUT_MS } from './database.ts';
import type { BackendSettings } from './env.ts';
import { backendSettings, importRole } from './env.ts';
import { HttpError } from './http.ts';

/** The embedded database takes half a second for these, a server less. */
export const MAX_ROWS_PER_PART = 10_000;
/** The limit of a request that names no part. */
export const MAX_ROWS_PER_REQUEST = 100_000;
/** The undo of a million products takes 100 steps. */
const PRODUCTS_PER_UNDO_STEP = 10_000;

/** Spec, section 6: any signed-in user, unless IMPORT_ROLE names a role. */
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

export interface ImportPart {
  readonly importId: string;
  /** From 0. */
  readonly part: number;
  /** Null while the sender does not know how many there are. */
  readonly totalParts: number | null;
  readonly fileName: string | null;
  /** Equal digests mean equal content. */
  readonly digest: string;
  readonly products: readonly ProductInFile[];
  readonly rejected: number;
}

export interface PartCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/**
 * Writes one part, or returns its counts where the database has it already.
 *
 * @throws HttpError 404 for an import of another user, 409 where the import was undone or the part
 *   arrived before with other content
 */
export async function writePart(
  settings: BackendSettings,
  { id, email }: Caller,
  part: ImportPart,
): Promise<PartCounts> {
  const counts = await callImports(settings, 'import_part', {
    p_import: part.importId,
    p_user: id,
    p_email: email,
    p_file_name: part.fileName,
    p_part: part.part,
    p_total_parts: part.totalParts,
    p_digest: part.digest,
    p_rows: part.products.map(({ row }) => row),
    p_rejected: part.rejected,
  });
  return counts as PartCounts; // what import_part returns
}

/** Writes an upload that names no import as an import of its own, in as many parts as it needs. */
export async function writeWhole(
  settings: BackendSettings,
  caller: Caller,
  upload: Omit<ImportPart, 'importId' | 'part' | 'totalParts'>,
): Promise<PartCounts & { readonly importId: string }> {
  const importId = randomUUID();
  const totalParts = Math.ceil(upload.products.length / MAX_ROWS_PER_PART);
  const total = { importId, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  for (let part = 0; part < totalParts; part += 1) {
    const from = part * MAX_ROWS_PER_PART;
    const counts = await writePart(settings, caller, {
      ...upload,
      importId,
      part,
      totalParts,
      products: upload.products.slice(from, from + MAX_ROWS_PER_PART),
      rejected: part === 0 ? upload.rejected : 0,
    });
    total.inserted += counts.inserted;
    total.updated += counts.updated;
    total.unchanged += counts.unchanged;
    total.rejected += counts.rejected;
  }
  return total;
}

/**
 * Does one step of an undo. Returns `{ removed, restored, kept, left }`, counted since the undo began.
 *
 * @throws HttpError 404 for an import of another user where importers need no role, 409 where an import
 *   after it must be undone first, or its undo log is not kept any more
 */
export function undoStep(settings: BackendSettings, caller: Caller, importId: string) {
  return callImports(settings, 'undo_import', {
    p_user: caller.id,
    p_import: importId,
    p_limit: PRODUCTS_PER_UNDO_STEP,
    p_staff: isStaffOnly(),
  });
}

/** The last imports, newest first, in the form that the page shows. */
export async function recentImports(
  settings: BackendSettings,
  caller: Caller,
): Promise<readonly object[]> {
  const args = { p_user: caller.id, p_staff: isStaffOnly() };
  return (await callImports(settings, 'recent_imports', args)) as readonly object[];
}

/** Whether all importers have a role that the shop names: then they undo the imports of one another. */
function isStaffOnly(): boolean {
  return importRole() !== null;
}

export function digestOf(csv: string, blankCellsClear: boolean): string {
  return createHash('sha256').update(`${blankCellsClear} ${csv}`).digest('hex');
}

async function callImports(
  settings: BackendSettings,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await callDatabase(settings, name, args, IMPORT_TIMEOUT_MS);
  } catch (thrown) {
    if (!(thrown instanceof DatabaseRejection)) throw thrown;
    // The database raises these two with a sentence for the user who imports.
    if (thrown.code === 'PT404') throw new HttpError(404, thrown.message);
    if (thrown.code === 'PT409') throw new HttpError(409, thrown.message);
    // The account was deleted after its token was checked.
    if (thrown.code === '23503') throw new HttpError(401, 'This account does not exist any more.');
    throw thrown;
  }
}
