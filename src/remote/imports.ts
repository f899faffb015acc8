/** Reads and undoes imports with the user's own token. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import type { RowCounts } from '../domain/row-counts.ts';
import type { TokenSource } from './auth/token-source.ts';
import { callFunction } from './request.ts';

/** An import of the shop, by any user. */
export interface PastImport extends RowCounts {
  readonly importId: string;
  /** Null where the sender named no file. Of a change by hand, the product. */
  readonly fileName: string | null;
  /** Whether staff changed a product by hand. */
  readonly isByHand: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** As `startedAt`; null until the server has all parts. */
  readonly finishedAt: number | null;
  readonly isMine: boolean;
  /** Products that it has put off sale. */
  readonly offSale: number;
  readonly undo: MayUndo;
  /** `running` until the server has all parts. */
  readonly state: ImportState;
}

const STATES = ['running', 'finished', 'undoing', 'undone'] as const;
type ImportState = (typeof STATES)[number];

const MAY_UNDO = ['now', 'foreign', 'gone', 'done'] as const;
/**
 * Whether the user may undo an import.
 *
 * - `now`     the user may undo the import
 * - `foreign` only the user who made the import may undo it
 * - `gone`    another import of its kind has changed something since
 * - `done`    the import is undone
 */
export type MayUndo = (typeof MAY_UNDO)[number];

/** What the shop tells the import page: who may import, and what was imported. */
export interface ImportOverview {
  /** The role that importing needs; null where any signed-in user may. */
  readonly requiredRole: string | null;
  readonly mayImport: boolean;
  /** The newest import; null before the first. */
  readonly last: PastImport | null;
  /** The imports before the last, newest first, as far as the server lists them. */
  readonly earlier: readonly PastImport[];
}

/** The progress of an undo since it began; it has finished when `left` is 0. */
export interface UndoProgress {
  /** Products that the import had added. */
  readonly removed: number;
  /** Products that got their former values back. */
  readonly restored: number;
  /** Products that the undo leaves as they are, because they changed after the import. */
  readonly kept: number;
  readonly left: number;
}

export interface ImportsRemote {
  overview(uid: string): Promise<Answer<ImportOverview>>;
  /** Undoes the next products of an import. Call it until none is left. */
  undo(uid: string, importId: string): Promise<Answer<UndoProgress>>;
}

/** For all requests: the slowest is a step of an undo, which takes the shop a few seconds. */
const TIMEOUT_MS = 45_000;

export function importsRemote(tokens: TokenSource): ImportsRemote {
  return {
    overview: (uid) =>
      callFunction(tokens, uid, { name: 'imports', timeoutMs: TIMEOUT_MS, parse: parseOverview }),
    undo: (uid, importId) =>
      callFunction(tokens, uid, {
        name: 'undo-import',
        body: { importId },
        timeoutMs: TIMEOUT_MS,
        parse: parseProgress,
      }),
  };
}

function parseOverview(fields: Fields): ImportOverview | null {
  const { required_role: role, may_import: mayImport, last, earlier } = fields;
  if (typeof mayImport !== 'boolean') return null;
  const requiredRole = typeof role === 'string' ? role : null;
  const listed: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
  return {
    requiredRole,
    mayImport,
    last: parseImport(fieldsOf(last)),
    earlier: listed.map((row) => parseImport(fieldsOf(row))).filter((row) => row !== null),
  };
}

function parseImport(fields: Fields): PastImport | null {
  const { import_id: importId, file_name: fileName } = fields;
  const startedAt = timeIn(fields['started_at']);
  if (typeof importId !== 'string' || startedAt === null) return null;
  return {
    importId,
    fileName: typeof fileName === 'string' ? fileName : null,
    isByHand: fields['is_by_hand'] === true,
    startedAt,
    finishedAt: timeIn(fields['finished_at']),
    isMine: fields['by_me'] === true,
    offSale: countIn(fields['off_sale']),
    added: countIn(fields['inserted']),
    changed: countIn(fields['updated']),
    unchanged: countIn(fields['unchanged']),
    replaced: countIn(fields['replaced']),
    rejected: countIn(fields['rejected']),
    skipped: countIn(fields['skipped']),
    // Where the server uses a word that this build does not know, the page offers no undo.
    undo: MAY_UNDO.find((may) => may === fields['undo']) ?? 'gone',
    state: STATES.find((state) => state === fields['state']) ?? 'finished',
  };
}

function parseProgress({ removed, restored, kept, left }: Fields): UndoProgress | null {
  if (typeof left !== 'number') return null;
  return { removed: countIn(removed), restored: countIn(restored), kept: countIn(kept), left };
}

function countIn(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function timeIn(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
