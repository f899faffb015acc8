import { foldChanges, NOTHING, type ShopperData } from '../domain/change.ts';
import type { Product } from '../domain/product.ts';
import type { OutboxRow, RejectedChange, SaveResult, ShopperBase, ShopperRow } from './database.ts';
import { localKey } from '../browser/storage-key.ts';
import { createStore } from '../browser/store.ts';

/** The rows from which `viewOf` computes what screens show, read in one transaction. */
export interface ShopperState {
  readonly shopper: ShopperRow;
  readonly base: ShopperBase | undefined;
  readonly pending: readonly OutboxRow[];
  readonly rejected: readonly RejectedChange[];
  readonly result: SaveResult | undefined;
}

/** How far a shopper's changes are saved on the server. */
export type Saving = 'saved' | 'saving' | 'offline' | 'sign-in' | 'failed';

/** The shopper as screens see them at one moment. */
export interface ShopperView {
  readonly shopper: ShopperRow;
  /** The server's last answer with the outbox applied to it. */
  readonly data: ShopperData;
  /** Whether the server has ever answered; before that an empty cart may be wrong. */
  readonly isKnown: boolean;
  /** Products that are or were in cart or favourites, as this device last saw them. */
  readonly seen: readonly Product[];
  readonly unsaved: number;
  readonly saving: Saving;
  readonly rejected: readonly RejectedChange[];
}

/** The signed-in shopper's data; null when signed out, undefined until the first reading. */
export const shopperStore = createStore<ShopperView | null | undefined>(undefined);

/**
 * The id of the last signed-in shopper, in `localStorage`. While the database does not answer, taps are stored for
 * this shopper, and screens do not show the shopper as signed out.
 */
export const shopperHint = localKey('weft-shopper');

export function viewOf(state: ShopperState): ShopperView {
  const { shopper, base, pending, rejected, result } = state;
  return {
    shopper,
    data: foldChanges(
      base ?? NOTHING,
      pending.map(({ change }) => change),
    ),
    isKnown: base !== undefined,
    seen: base?.seen ?? [],
    unsaved: pending.length,
    saving: savingOf(shopper, pending.length, result?.outcome),
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
  // There was no run, or the last one saved everything: these changes are newer and on their way.
  return outcome === undefined || outcome === 'saved' ? 'saving' : outcome;
}
