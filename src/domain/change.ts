/**
 * A shopper's change of the cart or the favourites, as data.
 *
 * A phone keeps a change until the server has acknowledged it; the server applies each change exactly once,
 * by its id. `cart.add` and `cart.reduce` are differences: two phones that add one piece each make two.
 * `cart.reduce` never takes a line below 1 and never creates a line. `cart.set` is for Undo only: of two such
 * changes, the one that reaches the server later holds.
 */
export type ChangeAction =
  | {
      readonly kind: 'cart.add';
      readonly args: { readonly productId: number; readonly by: number };
    }
  | {
      readonly kind: 'cart.reduce';
      readonly args: { readonly productId: number; readonly by: number };
    }
  | {
      readonly kind: 'cart.set';
      readonly args: { readonly productId: number; readonly quantity: number };
    }
  | { readonly kind: 'cart.remove'; readonly args: { readonly productId: number } }
  | { readonly kind: 'cart.clear'; readonly args: Readonly<Record<string, never>> }
  | { readonly kind: 'favourite.add'; readonly args: { readonly productId: number } }
  | { readonly kind: 'favourite.remove'; readonly args: { readonly productId: number } };

/** A change that is on its way into the outbox. */
export type NewChange = ChangeAction & {
  /** UUID, made on the phone: the idempotency key. */
  readonly id: string;
  /** Version of this format; 1. */
  readonly schema: number;
  /** ISO 8601, by the phone's clock: for people to read, never for ordering. */
  readonly madeAt: string;
};

export type Change = NewChange & {
  /**
   * The version of the shopper's data that the phone had pulled last when the change came into the outbox; 0 before
   * its first pull. The server rejects an unknown change that is as old as those that it has forgotten: a phone whose
   * storage was restored from a backup may send one of these again.
   */
  readonly baseVer: number;
};

export const CHANGE_SCHEMA = 1;

export interface CartLine {
  readonly productId: number;
  readonly quantity: number;
  /** The shop's price in dollars when the server last made or raised the line; null for none or unknown. */
  readonly priceWhenAdded: number | null;
}

/** One shopper's data, as the server has them or as a phone shows them. */
export interface ShopperData {
  readonly cart: readonly CartLine[];
  readonly favourites: readonly number[];
}

/** A version of a shopper's data, as a phone names it in a pull; null before its first pull. */
export type Since = {
  readonly ver: number;
  /** The version's random name; null for version 0. */
  readonly stamp: string | null;
} | null;

/** The server's answer to a pull. */
export interface Pulled {
  readonly uid: string;
  readonly device: string;
  readonly ver: number;
  /** The version's random name; null for version 0. */
  readonly stamp: string | null;
  /** Null when nothing has changed since the version that the phone named. */
  readonly data: ShopperData | null;
  /** Ids that the pull named and the server has applied or rejected. */
  readonly acks: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly message: string }[];
}

/** The data of a shopper who has none yet. */
export const NOTHING: ShopperData = { cart: [], favourites: [] };

/** Actions, or a function that computes them from the shopper's data. */
export type Mutation = readonly ChangeAction[] | ((shown: ShopperData) => readonly ChangeAction[]);

/**
 * Applies changes to the data, in order. The database's `push` does the same to products, quantities and
 * favourites, and a test compares the results. Only the server sets prices: until it has answered, a line keeps
 * the price that it had.
 */
export function foldChanges(base: ShopperData, changes: Iterable<ChangeAction>): ShopperData {
  const lines = new Map(base.cart.map((line) => [line.productId, line]));
  const favourites = new Set(base.favourites);
  for (const change of changes) {
    switch (change.kind) {
      case 'cart.add': {
        const { productId, by } = change.args;
        const line = lines.get(productId);
        lines.set(productId, {
          productId,
          quantity: (line?.quantity ?? 0) + by,
          priceWhenAdded: line?.priceWhenAdded ?? null,
        });
        break;
      }
      case 'cart.reduce': {
        const { productId, by } = change.args;
        const line = lines.get(productId);
        if (line) lines.set(productId, { ...line, quantity: Math.max(line.quantity - by, 1) });
        break;
      }
      case 'cart.set': {
        const { productId, quantity } = change.args;
        const priceWhenAdded = lines.get(productId)?.priceWhenAdded ?? null;
        lines.set(productId, { productId, quantity, priceWhenAdded });
        break;
      }
      case 'cart.remove':
        lines.delete(change.args.productId);
        break;
      case 'cart.clear':
        lines.clear();
        break;
      case 'favourite.add':
        favourites.add(change.args.productId);
        break;
      case 'favourite.remove':
        favourites.delete(change.args.productId);
        break;
    }
  }
  return { cart: [...lines.values()], favourites: [...favourites] };
}
