/** What the shop knows of imports, asked for with the shopper's own token. Failures are values. */
import { askWithToken } from './ask-with-token.ts';
import type { TokenSource } from './auth/token-source.ts';

/** The newest import of the shop, whoever made it. */
export interface LastImport {
  readonly importId: string;
  /** Null where the sender named no file. */
  readonly fileName: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly isMine: boolean;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly canUndo: boolean;
  /** `running` as long as parts of it are missing. */
  readonly state: 'running' | 'finished' | 'undoing' | 'undone';
}

export interface ImportRights {
  /** The role that importing needs; null where any signed-in user may. */
  readonly requiredRole: string | null;
  readonly mayImport: boolean;
  readonly last: LastImport | null;
}

/** What an undo has done since it began; it is over when nothing is `left`. */
export interface UndoStep {
  /** Products that the import had added. */
  readonly removed: number;
  /** Products that have their former values again. */
  readonly restored: number;
  /** Products that were changed since: they stay as they are. */
  readonly kept: number;
  readonly left: number;
}

export type ImportsAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'offline' | 'sign-in' }
  /** `message` is the shop's `error`; null where it gave none. */
  | { readonly ok: false; readonly reason: 'refused'; readonly message: string | null };

export interface ImportsRemote {
  rights(uid: string): Promise<ImportsAnswer<ImportRights>>;
  undo(uid: string, importId: string): Promise<ImportsAnswer<UndoStep>>;
}

/** One step of an undo takes the shop a few seconds. */
const TIMEOUT_MS = 45_000;

export function importsRemote(tokens: TokenSource): ImportsRemote {
  async function call<T>(
    uid: string,
    name: string,
    body: object | null,
    parse: (fields: Fields) => T | null,
  ): Promise<ImportsAnswer<T>> {
    return askWithToken(
      tokens,
      uid,
      (token) => ask(name, body, token, parse),
      (answer) => answer === TOKEN_REFUSED,
    );
  }

  return {
    rights: (uid) => call(uid, 'imports', null, parseRights),
    undo: (uid, importId) => call(uid, 'undo-import', { importId }, parseStep),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const TOKEN_REFUSED = { ok: false, reason: 'refused', message: null } as const;

async function ask<T>(
  name: string,
  body: object | null,
  token: string,
  parse: (fields: Fields) => T | null,
): Promise<ImportsAnswer<T>> {
  try {
    const response = await fetch(`/.netlify/functions/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) return TOKEN_REFUSED;
    const fields = fieldsOf(await response.json());
    const value = response.ok ? parse(fields) : null;
    if (value !== null) return { ok: true, value };
    const { error } = fields;
    if (response.ok) return { ok: false, reason: 'offline' };
    return { ok: false, reason: 'refused', message: typeof error === 'string' ? error : null };
  } catch {
    // No network, cut off, given up, or a page of somebody else's that is not JSON.
    return { ok: false, reason: 'offline' };
  }
}

function parseRights({ required_role: role, may_import: mayImport, last }: Fields) {
  if (typeof mayImport !== 'boolean') return null;
  const requiredRole = typeof role === 'string' ? role : null;
  return { requiredRole, mayImport, last: parseLast(fieldsOf(last)) };
}

function parseLast(fields: Fields): LastImport | null {
  const { import_id: importId, file_name: fileName } = fields;
  const startedAt = timeOf(fields['started_at']);
  if (typeof importId !== 'string' || startedAt === null) return null;
  return {
    importId,
    fileName: typeof fileName === 'string' ? fileName : null,
    startedAt,
    finishedAt: timeOf(fields['finished_at']),
    isMine: fields['by_me'] === true,
    inserted: countOf(fields['inserted']),
    updated: countOf(fields['updated']),
    unchanged: countOf(fields['unchanged']),
    rejected: countOf(fields['rejected']),
    canUndo: fields['can_undo'] === true,
    state: STATES.find((state) => state === fields['state']) ?? 'finished',
  };
}

const STATES = ['running', 'finished', 'undoing', 'undone'] as const;

function parseStep({ removed, restored, kept, left }: Fields): UndoStep | null {
  if (typeof left !== 'number') return null;
  return { removed: countOf(removed), restored: countOf(restored), kept: countOf(kept), left };
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as Fields) : {}; // any object may be read by name
}
