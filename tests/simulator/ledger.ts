/**
 * What the server has been seen to do, and whether that is right: a shopper's rows at each version,
 * and the fold of the changes applied and of the rows written by others, in the order of versions.
 */
import type { ChangeAction, ShopperData } from '../../src/domain/change.ts';
import { foldChanges, NOTHING } from '../../src/domain/change.ts';
import type { Applied, Seen } from './server.ts';
import type { RowWrite } from './sql.ts';
import type { Made } from './phone-storage.ts';
import type { Verdicts } from './verdicts.ts';

/** One shopper, as the server has been seen to have them. */
interface Account {
  ver: number;
  /** By version; phones' bases are held against it. */
  readonly states: Map<number, ShopperData>;
  readonly applied: Map<string, Applied>;
  /** For each phone, the place of its latest applied change in the order made. */
  readonly latest: Map<string, number>;
}

export class Ledger {
  #accounts = new Map<string, Account>();
  #made = new Map<string, Made>();
  #verdicts: Verdicts;
  /** Products in the shop, as the server has them. */
  #products: ReadonlySet<number>;

  constructor(verdicts: Verdicts, products: ReadonlySet<number>, users: readonly string[]) {
    this.#verdicts = verdicts;
    this.#products = products;
    for (const uid of users) {
      const states = new Map([[0, NOTHING]]);
      this.#accounts.set(uid, { ver: 0, states, applied: new Map(), latest: new Map() });
    }
  }

  /** A change has become durable on a phone. */
  note(made: Made): void {
    this.#made.set(made.id, made);
  }

  madeBy(id: string): Made | undefined {
    return this.#made.get(id);
  }

  get made(): Iterable<Made> {
    return this.#made.values();
  }

  versionOf(uid: string): number {
    return this.#account(uid).ver;
  }

  stateAt(uid: string, ver: number): ShopperData | undefined {
    return this.#account(uid).states.get(ver);
  }

  applied(uid: string, id: string): Applied | undefined {
    return this.#account(uid).applied.get(id);
  }

  /** After a request that may have written: checks invariants 1 to 3, and remembers. */
  observe(uid: string, seen: Seen, write: RowWrite | null): boolean {
    const account = this.#account(uid);
    const before = account.states.get(account.ver) ?? NOTHING;
    let expected = write ? foldWrite(before, write) : before;
    for (const each of seen.applied) {
      this.#checkIdentity(uid, each);
      this.#checkOrder(account, each);
      expected = this.#foldApplied(expected, each);
      if (account.applied.has(each.id)) this.#verdicts.break(1, `${each.id} is applied twice`);
      account.applied.set(each.id, each);
    }
    const rows = dataOf(seen);
    if (shapeOf(rows) !== shapeOf(expected)) {
      this.#verdicts.break(
        3,
        `rows of ${uid} at ${seen.ver} are ${shapeOf(rows)}, not ${shapeOf(expected)}`,
      );
    }
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(before);
    if (seen.ver < account.ver || (seen.ver === account.ver && hasChanged)) {
      this.#verdicts.break(3, `rows of ${uid} changed, and the version is still ${account.ver}`);
    }
    const isNews = seen.ver !== account.ver;
    account.ver = seen.ver;
    account.states.set(seen.ver, rows);
    return isNews;
  }

  /** Once all is quiet: what was seen on the way is what is there. */
  checkFinal(uid: string, seen: Seen): void {
    const { applied, states, ver } = this.#account(uid);
    const ids = seen.applied.map(({ id }) => id);
    if (ids.length !== applied.size || ids.some((id) => !applied.has(id))) {
      this.#verdicts.break(1, `applied_changes of ${uid} differ from what was seen before`);
    }
    const last = states.get(ver);
    if (seen.ver !== ver || JSON.stringify(dataOf(seen)) !== JSON.stringify(last)) {
      this.#verdicts.break(3, `rows of ${uid} differ from what was seen before`);
    }
  }

  #account(uid: string): Account {
    const account = this.#accounts.get(uid);
    if (!account) throw new Error(`${uid} is no shopper of this schedule`);
    return account;
  }

  #checkIdentity(uid: string, { id, kind, args }: Applied): void {
    const made = this.#made.get(id);
    if (!made || made.uid !== uid) {
      this.#verdicts.break(1, `${id} is applied for ${uid}, who never made it`);
      return;
    }
    const isSame = kind === made.change.kind && sorted(args) === sorted(made.change.args);
    if (!isSame) this.#verdicts.break(1, `${id} is applied as something else than was made`);
  }

  #checkOrder(account: Account, { id }: Applied): void {
    const made = this.#made.get(id);
    // What a rollback took away may arrive late, and its phone knows nothing of it any more.
    if (!made || made.isTakenAway) return;
    const latest = account.latest.get(made.phone) ?? -1;
    if (made.place < latest) {
      this.#verdicts.break(2, `${id} of phone ${made.phone} is applied after a later one`);
    }
    account.latest.set(made.phone, Math.max(latest, made.place));
  }

  /** A change is refused exactly if it names a product that left, or a line would not be 1 to 999. */
  #foldApplied(data: ShopperData, { kind, args, outcome, id }: Applied): ShopperData {
    const action = { kind, args } as ChangeAction; // checked against what was made
    const after = foldChanges(data, [action]);
    const isPossible = this.#isPossible(action, after);
    if (isPossible !== (outcome === 'applied')) {
      this.#verdicts.break(3, `${kind} ${id} is ${outcome}, and it should not be`);
    }
    return outcome === 'applied' ? after : data;
  }

  #isPossible(action: ChangeAction, after: ShopperData): boolean {
    switch (action.kind) {
      case 'cart.clear':
      case 'cart.reduce':
      case 'cart.remove':
      case 'favourite.remove':
        return true;
      case 'favourite.add':
        return this.#products.has(action.args.productId);
      case 'cart.add':
      case 'cart.set': {
        const { productId } = action.args;
        const quantity = after.cart.find((line) => line.productId === productId)?.quantity ?? 0;
        const by = action.kind === 'cart.add' ? action.args.by : 1;
        return this.#products.has(productId) && quantity >= 1 && quantity <= 999 && by >= 1;
      }
    }
  }
}

export function dataOf({ cart, favourites }: Seen): ShopperData {
  return {
    cart: cart.map(([productId, quantity, priceWhenAdded]) => ({
      productId,
      quantity,
      priceWhenAdded,
    })),
    favourites,
  };
}

/** Lines in their order, favourites as a set, and no prices: what a fold determines. */
export function shapeOf({ cart, favourites }: ShopperData): string {
  const lines = cart.map(({ productId, quantity }) => `${productId}×${quantity}`);
  return `[${lines.join(' ')} ♥ ${favourites.toSorted((a, b) => a - b).join(' ')}]`;
}

function foldWrite({ cart, favourites }: ShopperData, write: RowWrite): ShopperData {
  const without = (id: number) => cart.filter(({ productId }) => productId !== id);
  switch (write.kind) {
    case 'insert': {
      const { productId, quantity } = write;
      return { favourites, cart: [...cart, { productId, quantity, priceWhenAdded: null }] };
    }
    case 'update': {
      const { productId, quantity } = write;
      const cartThen = cart.map((line) =>
        line.productId === productId ? { ...line, quantity } : line,
      );
      return { favourites, cart: cartThen };
    }
    case 'delete':
      return { favourites, cart: without(write.productId) };
    case 'delete all':
      return { favourites, cart: [] };
    case 'like':
      return { cart, favourites: [...favourites, write.productId] };
    case 'unlike':
      return { cart, favourites: favourites.filter((id) => id !== write.productId) };
  }
}

function sorted(args: unknown): string {
  return JSON.stringify(Object.entries(args ?? {}).sort(([a], [b]) => a.localeCompare(b)));
}
