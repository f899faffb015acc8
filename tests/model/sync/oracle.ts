/**
 * What the server has been seen to do, and whether that is right: a shopper's rows at each version,
 * and the fold of the changes applied and of the rows written by others, in the order of versions.
 */
import {
  type ChangeAction,
  foldChanges,
  NOTHING,
  type ShopperData,
} from '../../../src/domain/change.ts';
import { dataOf, foldMeant, foldWrite, quantityOf, shapeOf } from './fold.ts';
import type { Made } from './phone-storage.ts';
import type { Applied, Seen } from './server.ts';
import type { RowWrite } from './sql.ts';
import { Timeline } from './timeline.ts';
import type { SyncVerdicts } from './verdicts.ts';

export class Oracle {
  /** Changes that have left an outbox. */
  readonly dropped = new Set<string>();
  /** By shopper; the last is the present one, those before were lost when the server went back. */
  #timelines = new Map<string, Timeline[]>();
  #made = new Map<string, Made>();
  #verdicts: SyncVerdicts;
  /** Products in the shop, as the server has them. */
  #products: ReadonlyMap<number, unknown>;

  constructor(
    verdicts: SyncVerdicts,
    products: ReadonlyMap<number, unknown>,
    users: readonly string[],
  ) {
    this.#verdicts = verdicts;
    this.#products = products;
    for (const uid of users) this.#timelines.set(uid, [new Timeline()]);
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
    return this.#present(uid).ver;
  }

  applied(uid: string, id: string): Applied | undefined {
    return this.#present(uid).applied.get(id);
  }

  /**
   * Whether a change was acknowledged, and went with what the server has lost since its backup. A
   * request that is far too late may have brought it once more.
   */
  isLost(uid: string, id: string): boolean {
    if (!this.dropped.has(id)) return false;
    const now = this.applied(uid, id);
    const [, ...before] = this.timelinesOf(uid);
    return before.some(({ applied }) => applied.has(id) && applied.get(id) !== now);
  }

  /** Before the server went back. */
  #wasApplied(uid: string, id: string): boolean {
    const [, ...before] = this.timelinesOf(uid);
    return before.some(({ applied }) => applied.has(id));
  }

  /** Whether the server holds other rows of the shopper than phones, which may be of before. */
  stateOf(uid: string): ShopperData {
    const present = this.#present(uid);
    return present.states.get(present.ver) ?? NOTHING;
  }

  /** The present one first. */
  timelinesOf(uid: string): readonly Timeline[] {
    return this.#all(uid).toReversed();
  }

  /** What to go back to. */
  backup(): ReadonlyMap<string, Timeline> {
    return new Map(
      [...this.#timelines.keys()].map((uid) => [uid, new Timeline(this.#present(uid))]),
    );
  }

  restore(backup: ReadonlyMap<string, Timeline>): void {
    for (const [uid, timeline] of backup) this.#all(uid).push(new Timeline(timeline));
  }

  /** After a request that may have written: checks invariants 1 to 3, and remembers. */
  observe(uid: string, seen: Seen, write: RowWrite | null): boolean {
    const present = this.#present(uid);
    const before = present.states.get(present.ver) ?? NOTHING;
    let expected = write ? foldWrite(before, write) : before;
    for (const each of seen.applied) {
      this.#checkIdentity(uid, each);
      this.#checkOrder(uid, each);
      expected = this.#foldApplied(expected, each);
      if (present.applied.has(each.id)) this.#verdicts.break(1, `${each.id} is applied twice`);
      present.applied.set(each.id, each);
    }
    const rows = dataOf(seen);
    if (shapeOf(rows) !== shapeOf(expected)) {
      this.#verdicts.break(
        3,
        `rows of ${uid} at ${seen.ver} are ${shapeOf(rows)}, not ${shapeOf(expected)}`,
      );
    }
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(before);
    if (seen.ver < present.ver || (seen.ver === present.ver && hasChanged)) {
      this.#verdicts.break(3, `rows of ${uid} changed, and the version is still ${present.ver}`);
    }
    const isNews = seen.ver !== present.ver;
    present.ver = seen.ver;
    present.states.set(seen.ver, rows);
    return isNews;
  }

  /** Once all is settled: what was seen on the way is what is there. */
  checkFinal(uid: string, seen: Seen): void {
    const { applied, states, ver } = this.#present(uid);
    const ids = seen.applied.map(({ id }) => id);
    if (ids.length !== applied.size || ids.some((id) => !applied.has(id))) {
      this.#verdicts.break(1, `applied_changes of ${uid} differ from what was seen before`);
    }
    const last = states.get(ver);
    if (seen.ver !== ver || JSON.stringify(dataOf(seen)) !== JSON.stringify(last)) {
      this.#verdicts.break(3, `rows of ${uid} differ from what was seen before`);
    }
  }

  #all(uid: string): Timeline[] {
    const timelines = this.#timelines.get(uid);
    if (!timelines) throw new Error(`${uid} is no shopper of this schedule`);
    return timelines;
  }

  #present(uid: string): Timeline {
    const present = this.#all(uid).at(-1);
    if (!present) throw new Error('unreachable');
    return present;
  }

  #checkIdentity(uid: string, { id, kind, args, outcome }: Applied): void {
    const made = this.#made.get(id);
    if (!made || made.uid !== uid) {
      this.#verdicts.break(1, `${id} is applied for ${uid}, who never made it`);
      return;
    }
    // What is refused may be kept without its arguments.
    const isSame = outcome === 'rejected' || sorted(args) === sorted(made.change.args);
    if (kind !== made.change.kind || !isSame) {
      this.#verdicts.break(1, `${id} is applied as something else than was made`);
    }
  }

  #checkOrder(uid: string, { id }: Applied): void {
    const made = this.#made.get(id);
    // What a rollback took away may arrive late, and its phone knows nothing of it any more. What
    // the server has lost may come once more behind what it has kept.
    if (!made || made.isTakenAway || made.isLate || this.#wasApplied(uid, id)) return;
    const { latest } = this.#present(uid);
    const home = `${made.phone} ${made.home}`;
    if (made.place < (latest.get(home) ?? -1)) {
      this.#verdicts.break(2, `${id} of phone ${made.phone} is applied after a later one`);
    }
    latest.set(home, Math.max(latest.get(home) ?? -1, made.place));
  }

  /** A change is refused exactly if it names a product that left, or a line would not be 1 to 999. */
  #foldApplied(data: ShopperData, { kind, outcome, id }: Applied): ShopperData {
    const made = this.#made.get(id);
    if (!made) return data;
    const action: ChangeAction = made.change;
    const { productId = 0 } = action.args as { readonly productId?: number };
    const isDifference = made.meant !== null;
    const after = isDifference
      ? foldMeant(data, productId, made.meant)
      : foldChanges(data, [action]);
    const isPossible = this.#isPossible(action, after);
    if (isPossible !== (outcome === 'applied')) {
      this.#verdicts.break(3, `${kind} ${id} is ${outcome}, and it should not be`);
    }
    return outcome === 'applied' ? after : data;
  }

  #isPossible(action: ChangeAction, after: ShopperData): boolean {
    switch (action.kind) {
      case 'favourite.add':
        return this.#products.has(action.args.productId);
      case 'cart.add':
      case 'cart.set': {
        const { productId } = action.args;
        const quantity = quantityOf(after, productId);
        const by = action.kind === 'cart.add' ? action.args.by : 1;
        return this.#products.has(productId) && quantity >= 1 && quantity <= 999 && by >= 1;
      }
      default:
        return true;
    }
  }
}

function sorted(args: unknown): string {
  return JSON.stringify(Object.entries(args ?? {}).sort(([a], [b]) => a.localeCompare(b)));
}
