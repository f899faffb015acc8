import { foldChanges, NOTHING, type ShopperData } from '../domain/change.ts';
import type { OutboxRow, RejectedRow, SaveAttempt, ShopperBase, ShopperRow } from './database.ts';
import { createStore } from '../browser/store.ts';

/** Everything a screen may want to know, read in one transaction. */
export interface ShopperState {
  readonly shopper: ShopperRow;
  readonly base: ShopperBase | undefined;
  readonly pending: readonly OutboxRow[];
  readonly rejected: readonly RejectedRow[];
  readonly attempt: SaveAttempt | undefined;
}

/** Where a shopper's changes stand. */
export type Saving = 'saved' | 'saving' | 'offline' | 'sign-in' | 'failed';

/** What screens may know of the shopper at one moment. */
export interface ShopperView {
  readonly shopper: ShopperRow;
  /** What the server last said, with everything done since. */
  readonly data: ShopperData;
  /** Whether the server has ever been heard: until then an empty cart may not be the truth. */
  readonly isKnown: boolean;
  readonly unsaved: number;
  readonly saving: Saving;
  readonly rejected: readonly RejectedRow[];
}

/** The signed-in shopper's data; null when nobody is signed in, undefined until it was read. */
export const shopperStore = createStore<ShopperView | null | undefined>(undefined);

export function viewOf(state: ShopperState): ShopperView {
  const { shopper, base, pending, rejected, attempt } = state;
  return {
    shopper,
    data: foldChanges(
      base ?? NOTHING,
      pending.map(({ change }) => change),
    ),
    isKnown: base !== undefined,
    unsaved: pending.length,
    saving: savingOf(shopper, pending.length, attempt?.outcome),
    rejected,
  };
}

function savingOf(
  shopper: ShopperRow,
  unsaved: number,
  outcome: Exclude<Saving, 'saving'> | undefined,
): Saving {
  if (unsaved === 0) return 'saved';
  if (shopper.session === 'ended') return 'sign-in';
  // The last attempt was before these changes: theirs is under way.
  return outcome === undefined || outcome === 'saved' ? 'saving' : outcome;
}
