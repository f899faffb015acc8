/** The changes that taps must cause, for a comparison with the changes that phones store. */
import type { Change, ChangeAction } from '../../../src/domain/change.ts';

/** By how much a tap on `+` or `-` must change a quantity; `by` is 0 for an action that sets one. */
export interface ExpectedDifference {
  readonly productId: number;
  readonly by: number;
}

/** Counts the changes that taps asked for and that no phone has stored yet. */
export class UnmatchedTaps {
  #counts = new Map<string, number>();

  /** @param uid the shopper whom the screen shows; undefined when it shows none yet */
  add(uid: string | undefined, action: ChangeAction): void {
    const key = `${uid} ${kindOf(action)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Removes the tap of a change, such as one that is now stored. Returns false when no tap asked for it. */
  remove(uid: string | undefined, action: ChangeAction): boolean {
    const keys = [`${uid} ${kindOf(action)}`, `undefined ${kindOf(action)}`];
    const key = keys.find((candidate) => (this.#counts.get(candidate) ?? 0) > 0);
    if (key === undefined) return false;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) - 1);
    return true;
  }
}

/**
 * Removes from the list the difference that a stored change must make, and returns it. For a change that
 * sets a quantity, an entry with `by` 0 is preferred.
 */
export function takeExpectedDifference(
  differences: ExpectedDifference[],
  change: Change,
): ExpectedDifference | undefined {
  const isSet = change.kind === 'cart.set';
  const exact = differences.findIndex((each) => isSet && each.by === 0 && mayCause(each, change));
  const index = exact >= 0 ? exact : differences.findIndex((each) => mayCause(each, change));
  return index >= 0 ? differences.splice(index, 1)[0] : undefined;
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
function kindOf({ kind, args }: ChangeAction): string {
  const id = 'productId' in args ? args.productId : '';
  const by = kind === 'cart.add' ? args.by : '';
  return `${kind.replace(/^favourite.*/, 'favourite')} ${id} ${by}`;
}
