/**
 * Taps that the storage keeps waiting: another tab may have been frozen in the middle of a
 * transaction. Until the outbox has them they lie in `localStorage`, which waits for nobody, each
 * under the id and for the shopper that it has from then on. Any tab takes them into the outbox as
 * soon as that answers; the id keeps it from being done twice.
 */
import { type Change, CHANGE_SCHEMA, NOTHING } from '../domain/change.ts';
import type { WeftDatabase } from './database.ts';
import { hintedShopper } from './shopper-hint.ts';
import type { Mutation } from './shopper-log.ts';
import { shopperStore, type ShopperView } from './shopper-store.ts';

/** A change on its way into the outbox. */
export interface Tap {
  /** What was on the screen that was tapped. Without, the tap is of whoever is signed in by then. */
  readonly view: ShopperView | null | undefined;
  readonly mutation: Mutation;
  /**
   * Of the changes that it makes, in their order. Whichever way they take, and if they take two, they
   * are done once.
   */
  readonly ids: string[];
  /** Whether it took so long that it lies in `localStorage` by now (`late-change.ts`). */
  isKept: boolean;
}

interface LateChange {
  readonly uid: string;
  readonly change: Change;
}

const KEY = 'weft-late-changes';

/** Keeps what a tap means by what was on screen. False where nothing can be kept, or nobody is known. */
export function keepLate(tap: Tap): boolean {
  const view = tap.view ?? shopperStore.snapshot();
  const uid = view?.shopper.uid ?? hintedShopper();
  if (uid === null || view === null) return false;
  const { mutation } = tap;
  const actions = typeof mutation === 'function' ? mutation(view?.data ?? NOTHING) : mutation;
  const madeAt = new Date().toISOString();
  const late = actions.map((action, at) => {
    const id = (tap.ids[at] ??= crypto.randomUUID());
    const change: Change = { ...action, id, schema: CHANGE_SCHEMA, madeAt };
    return { uid, change };
  });
  try {
    localStorage.setItem(KEY, JSON.stringify([...read(), ...late]));
  } catch {
    return false; // blocked or full: the tap waits all the same, as long as the page does
  }
  tap.isKept = true;
  return true;
}

/**
 * Takes all that was kept into the outbox, behind what waits there, each once.
 *
 * @param isDurable whether they need not be kept apart any longer
 */
export async function takeInLate(db: WeftDatabase, isDurable: boolean): Promise<void> {
  if (read().length === 0) return;
  const ids = await db.transaction('rw', db.outbox, async () => {
    // As they are by now: another tab may have taken them in while this one waited for its turn.
    const late = read();
    const ids = late.map(({ change }) => change.id);
    const there = await db.outbox.where('id').anyOf(ids).toArray();
    const known = new Set(there.map(({ id }) => id));
    const missing = late.filter(({ change }) => !known.has(change.id));
    const mark = isDurable ? {} : { isLate: true as const };
    await db.outbox.bulkAdd(
      missing.map(({ uid, change }) => ({ uid, id: change.id, change, ...mark })),
    );
    return ids;
  });
  if (isDurable) forgetLate(ids);
}

/** Ids of those that no tab has taken to the device yet. */
export function lateIds(): ReadonlySet<string> {
  return new Set(read().map(({ change }) => change.id));
}

/** These are in the outbox, or the server has them: nobody has to take them in any more. */
export function forgetLate(ids: readonly string[]): void {
  const late = read();
  const gone = new Set(ids);
  const left = late.filter(({ change }) => !gone.has(change.id));
  if (left.length === late.length) return;
  try {
    if (left.length > 0) localStorage.setItem(KEY, JSON.stringify(left));
    else localStorage.removeItem(KEY);
  } catch {
    // Then they are taken in once more, and the server knows their ids.
  }
}

function read(): readonly LateChange[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isLateChange) : [];
  } catch {
    return [];
  }
}

function isLateChange(value: unknown): value is LateChange {
  const { uid, change } = (value ?? {}) as Partial<LateChange>; // looked at here
  return typeof uid === 'string' && typeof change?.id === 'string';
}
