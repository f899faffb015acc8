/** The changes that taps must cause, for a comparison with the changes that phones store. */
import type { ChangeAction } from '../../../src/domain/change.ts';

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
 * The same text for all changes that one tap may cause: a tap on the heart adds or removes a favourite; a tap
 * on `-` reduces by 1 or, above the largest quantity, by more.
 */
function tapOf({ kind, args }: ChangeAction): string {
  const id = 'productId' in args ? args.productId : '';
  const by = kind === 'cart.add' ? args.by : '';
  return `${kind.replace(/^favourite.*/, 'favourite')} ${id} ${by}`;
}
