/**
 * Taps that were not stored yet when their page was left: the page puts them into `localStorage`, which needs no
 * transaction, and the next start moves them to the outbox (`move-waiting.ts`). They keep their ids, so the server
 * applies each once.
 */
import { localKey } from '../browser/storage-key.ts';
import { CHANGE_SCHEMA, type Mutation, type NewChange, NOTHING } from '../domain/change.ts';
import { fieldsOf, parseJson } from '../domain/fields.ts';
import { shopperHint, type ShopperView } from './shopper-store.ts';

/** A tap on its way into the outbox. */
export interface Tap {
  /** What the screen showed; undefined where the shopper was not read yet. */
  readonly view: ShopperView | undefined;
  readonly mutation: Mutation;
  /**
   * Ids of its changes, in order. A second write, or the way through `localStorage`, uses the same
   * ids, so each change is applied once.
   */
  readonly ids: string[];
  /** True once the user has left its page, and `localStorage` has its changes. */
  isInLocalStorage: boolean;
}

interface WaitingChange {
  readonly uid: string;
  readonly change: NewChange;
}

const key = localKey('weft-waiting-taps');

/** Puts a tap's changes into `localStorage`, computed from the data that the screen showed. */
export function addWaiting(tap: Tap): void {
  const uid = tap.view?.shopper.uid ?? shopperHint.read();
  if (uid === null || tap.isInLocalStorage) return;
  const { mutation } = tap;
  const actions = typeof mutation === 'function' ? mutation(tap.view?.data ?? NOTHING) : mutation;
  const madeAt = new Date().toISOString();
  const changes = actions.map((action, i): WaitingChange => {
    const id = (tap.ids[i] ??= crypto.randomUUID());
    return { uid, change: { ...action, id, schema: CHANGE_SCHEMA, madeAt } };
  });
  tap.isInLocalStorage = write([...readWaiting(), ...changes]);
}

/** The changes in `localStorage`, oldest first. */
export function readWaiting(): readonly WaitingChange[] {
  const stored = parseJson(key.read());
  return Array.isArray(stored) ? stored.filter(isWaitingChange) : [];
}

/** Removes changes that are in the outbox or on the server. */
export function forgetWaiting(ids: readonly string[]): void {
  const waiting = readWaiting();
  const left = waiting.filter(({ change }) => !ids.includes(change.id));
  // Where this fails, the changes are moved once more later; the server applies each id once.
  if (left.length < waiting.length) write(left);
}

/** False where `localStorage` is blocked or full. */
function write(changes: readonly WaitingChange[]): boolean {
  if (changes.length > 0) return key.write(JSON.stringify(changes));
  key.clear();
  return true;
}

function isWaitingChange(value: unknown): value is WaitingChange {
  const { uid, change } = fieldsOf(value);
  return typeof uid === 'string' && typeof fieldsOf(change)['id'] === 'string';
}
