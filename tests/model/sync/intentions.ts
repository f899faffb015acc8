/** What people have tapped for, against what their phones make of it. */
import type { Change, ChangeAction } from '../../../src/domain/change.ts';

/** What `+` or `-` was tapped for; 0 for a set quantity. */
export interface Meant {
  readonly productId: number;
  readonly by: number;
}

/** How often each change was asked for on the screen of a shopper, less how often it was made. */
export class Asked {
  #left = new Map<string, number>();

  /** @param uid whose screen is tapped; undefined while that is not known yet */
  add(uid: string | undefined, action: ChangeAction): void {
    const key = `${uid} ${kindOf(action)}`;
    this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** One has been made for this shopper; false when no tap there asked for it. */
  take(uid: string, action: ChangeAction): boolean {
    const keys = [`${uid} ${kindOf(action)}`, `undefined ${kindOf(action)}`];
    const key = keys.find((each) => (this.#left.get(each) ?? 0) > 0);
    if (key === undefined) return false;
    this.#left.set(key, (this.#left.get(key) ?? 0) - 1);
    return true;
  }
}

/** Takes out what a change was tapped for; a quantity that was set before a difference. */
export function takeMeant(all: Meant[], change: Change): Meant | undefined {
  const isSet = change.kind === 'cart.set';
  const own = all.findIndex((meant) => isSet && meant.by === 0 && mayMean(change, meant));
  const at = own >= 0 ? own : all.findIndex((meant) => mayMean(change, meant));
  return at >= 0 ? all.splice(at, 1)[0] : undefined;
}

/** Whether a change may be what came of a tap; an amount of 0 stands for any quantity. */
function mayMean(change: Change, { productId, by }: Meant): boolean {
  if (!('productId' in change.args) || change.args.productId !== productId) return false;
  if (change.kind === 'cart.add') return change.args.by === by;
  return change.kind === 'cart.set' || (change.kind === 'cart.reduce' && change.args.by === -by);
}

/** What one tap may become: a heart either way, a minus what is left of too many. */
function kindOf({ kind, args }: ChangeAction): string {
  const id = 'productId' in args ? args.productId : '';
  const by = kind === 'cart.add' ? args.by : '';
  return `${kind.replace(/^favourite.*/, 'favourite')} ${id} ${by}`;
}

/** Ids of what `late-change.ts` keeps. */
export function idsIn(late: string): readonly string[] {
  return (JSON.parse(late) as { change: { id: string } }[]).map(({ change }) => change.id);
}
