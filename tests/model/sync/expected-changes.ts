/** The changes that taps must cause, for a comparison with the changes that phones store. */
import type { Change, ChangeAction } from '../../../src/domain/change.ts';

/** By how much a tap on `+` or `-` must change a quantity; `by` is 0 for an action that sets the quantity. */
export interface ExpectedDifference {
  readonly productId: number;
  readonly by: number;
}

/** Counts the changes that taps asked for and that no phone has stored yet. */
export class UnmatchedTaps {
  #counts = new Map<string, number>();

  /** @param uid the shopper whom the screen shows; undefined when it shows none yet */
  add(uid: string | undefined, action: ChangeAction): void {
    const key = `${uid} ${tapOf(action)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /**
   * Removes the tap that asked for a change, by this shopper or before the screen showed one. Returns false when
   * no tap asked for it.
   */
  remove(uid: string | undefined, action: ChangeAction): boolean {
    const keys = [`${uid} ${tapOf(action)}`, `undefined ${tapOf(action)}`];
    const key = keys.find((candidate) => (this.#counts.get(candidate) ?? 0) > 0);
    if (key === undefined) return false;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) - 1);
    return true;
  }
}

/**
 * Removes from the list the difference that a stored change must make, and returns it. A change that sets a
 * quantity may be of any tap on the product; it is matched with an action that sets the quantity if there is one.
 */
export function takeExpectedDifference(
  differences: ExpectedDifference[],
  change: Change,
): ExpectedDifference | undefined {
  const possible = differences.filter((difference) => mayCause(difference, change));
  const setting = change.kind === 'cart.set' ? possible.find(({ by }) => by === 0) : undefined;
  const taken = setting ?? possible[0];
  if (taken) differences.splice(differences.indexOf(taken), 1);
  return taken;
}

/** Whether the tap that expects this difference may have caused this change. */
function mayCause({ productId, by }: ExpectedDifference, change: Change): boolean {
  if (!('productId' in change.args) || change.args.productId !== productId) return false;
  if (change.kind === 'cart.add') return change.args.by === by;
  return change.kind === 'cart.set' || (change.kind === 'cart.reduce' && change.args.by === -by);
}

/**
 * The same text for all changes that one tap may cause: a tap on the heart adds or removes a favourite; a tap
 * on `-` reduces by 1 or, above the largest quantity, by more.
 */
function tapOf({ kind, args }: ChangeAction): string {
  const id = 'productId' in args ? args.productId : '';
  const by = kind === 'cart.add' ? args.by : '';
  return `${kind.replace(/^favourite.*/, 'favourite')} ${id} ${by}`;
}
