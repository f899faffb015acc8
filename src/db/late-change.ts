/**
 * Late changes: taps whose write to IndexedDB has to wait, for example because the system froze
 * another tab in the middle of a transaction.
 *
 * The tab stores such a change in `localStorage`, which needs no transaction, with its final id and
 * the shopper's id. Any tab moves it into the outbox as soon as IndexedDB answers. Because of the id
 * the change is applied once, even if two tabs move it.
 */
import { type Change, CHANGE_SCHEMA, NOTHING } from '../domain/change.ts';
import { fieldsOf, parseJson } from '../domain/fields.ts';
import type { WeftDatabase } from './database.ts';
import { hintedShopper } from './shopper-hint.ts';
import type { Mutation } from './shopper-log.ts';
import { shopperStore, type ShopperView } from './shopper-store.ts';

/** A tap whose changes are on their way into the outbox. */
export interface Tap {
  /**
   * What the screen showed. Undefined or null: the changes belong to the shopper who will be signed in
   * when the database answers.
   */
  readonly view: ShopperView | null | undefined;
  readonly mutation: Mutation;
  /**
   * Ids of its changes, in order. A second attempt, or the way through `localStorage`, uses the same
   * ids, so each change is applied once.
   */
  readonly ids: string[];
  /** Whether its changes are in `localStorage` by now. */
  isKept: boolean;
  /** Whether it comes from before the login: it may repeat a tap that the server has acknowledged. */
  readonly isDeferred: boolean;
}

interface LateChange {
  readonly uid: string;
  readonly change: Change;
}

const KEY = 'weft-late-changes';

/**
 * Stores a tap's changes in `localStorage`, computed from the data that the screen showed. False
 * when `localStorage` is blocked or full, or no shopper is known.
 */
export function keepLate(tap: Tap): boolean {
  const view = tap.view ?? shopperStore.snapshot();
  const uid = view?.shopper.uid ?? hintedShopper();
  if (uid === null || view === null) return false;
  const { mutation } = tap;
  const actions = typeof mutation === 'function' ? mutation(view?.data ?? NOTHING) : mutation;
  const madeAt = new Date().toISOString();
  const late = actions.map((action, i) => {
    const id = (tap.ids[i] ??= crypto.randomUUID());
    const change: Change = { ...action, id, schema: CHANGE_SCHEMA, madeAt };
    return { uid, change };
  });
  try {
    localStorage.setItem(KEY, JSON.stringify([...read(), ...late]));
  } catch {
    return false; // blocked or full: the tap still waits for IndexedDB, as long as this page is open
  }
  tap.isKept = true;
  return true;
}

/**
 * Moves the late changes to the end of the outbox, each once.
 *
 * @param isDurable true if `db` is on the device: then they are removed from `localStorage`
 */
export async function moveLateToOutbox(db: WeftDatabase, isDurable: boolean): Promise<void> {
  const ids = await appendLate(db, isDurable);
  if (isDurable) forgetLate(ids);
}

/**
 * Appends the late changes that the outbox lacks, also inside a transaction of the caller. Returns the ids of
 * all late changes.
 */
export async function appendLate(db: WeftDatabase, isDurable: boolean): Promise<readonly string[]> {
  if (read().length === 0) return [];
  return db.transaction('rw', db.outbox, async () => {
    // Reads again, because another tab may have moved them while this transaction waited.
    const late = read();
    const ids = late.map(({ change }) => change.id);
    const storedRows = await db.outbox.where('id').anyOf(ids).toArray();
    const storedIds = new Set(storedRows.map(({ id }) => id));
    const missing = late.filter(({ change }) => !storedIds.has(change.id));
    // A row in memory is marked, because `localStorage` keeps its change for a tab that can store it.
    const mark = isDurable ? {} : { isLate: true as const };
    await db.outbox.bulkAdd(
      missing.map(({ uid, change }) => ({ uid, id: change.id, change, ...mark })),
    );
    return ids;
  });
}

/** Ids of the changes that no tab has moved to the device yet. */
export function lateIds(): ReadonlySet<string> {
  return new Set(read().map(({ change }) => change.id));
}

/** Removes changes from `localStorage` that are in the outbox or on the server. */
export function forgetLate(ids: readonly string[]): void {
  const late = read();
  const gone = new Set(ids);
  const left = late.filter(({ change }) => !gone.has(change.id));
  if (left.length === late.length) return;
  try {
    if (left.length > 0) localStorage.setItem(KEY, JSON.stringify(left));
    else localStorage.removeItem(KEY);
  } catch {
    // The changes stay and are moved once more later; the server applies each id once.
  }
}

function read(): readonly LateChange[] {
  try {
    const stored = parseJson(localStorage.getItem(KEY));
    return Array.isArray(stored) ? stored.filter(isLateChange) : [];
  } catch {
    return [];
  }
}

function isLateChange(value: unknown): value is LateChange {
  const { uid, change } = fieldsOf(value);
  return typeof uid === 'string' && typeof fieldsOf(change)['id'] === 'string';
}
