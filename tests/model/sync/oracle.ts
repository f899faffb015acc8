/**
 * Observes the rows of shoppers after each write of the server, and checks invariants 1 to 3. A shopper's rows
 * at each version must be the rows of the version before, plus the changes that the server has applied since
 * and the rows that other clients have written.
 */
import {
  type ChangeAction,
  foldChanges,
  NOTHING,
  type ShopperData,
} from '../../../src/domain/change.ts';
import { SQLSTATE } from '../../supabase/sqlstate.ts';
import { dataOf, foldWrite, quantityOf, shapeOf } from './fold.ts';
import type { StoredChange } from './phone-storage.ts';
import type { AppliedChange, ServerRows } from './server.ts';
import type { RowWrite } from './sql.ts';
import { Timeline } from './timeline.ts';
import type { SyncVerdicts } from './verdicts.ts';

export class Oracle {
  /** Ids of changes that have left an outbox, because the server has acknowledged them. */
  readonly acknowledged = new Set<string>();
  /** The names of phones whose storage was rolled back. */
  readonly rolledBackPhones = new Set<string>();
  /** By shopper; the last timeline is the present one. A restore from a backup adds a timeline. */
  #timelines = new Map<string, Timeline[]>();
  /** By id: all changes that phones have stored. */
  #changes = new Map<string, StoredChange>();
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

  /** A phone has stored a change. */
  add(change: StoredChange): void {
    this.#changes.set(change.id, change);
  }

  changeWithId(id: string): StoredChange | undefined {
    return this.#changes.get(id);
  }

  get changes(): Iterable<StoredChange> {
    return this.#changes.values();
  }

  versionOf(uid: string): number {
    return this.#present(uid).ver;
  }

  /** The server's record of a change; undefined when the server has not got the change, or has lost it. */
  applied(uid: string, id: string): AppliedChange | undefined {
    return this.#present(uid).applied.get(id);
  }

  /**
   * Whether the server acknowledged a change, and lost it when it was restored from a backup. True also when
   * a delayed request has applied the change again since: the record of that is another object.
   */
  isLost(uid: string, id: string): boolean {
    if (!this.acknowledged.has(id)) return false;
    const now = this.applied(uid, id);
    const [, ...earlier] = this.timelinesOf(uid);
    return earlier.some(({ applied }) => applied.has(id) && applied.get(id) !== now);
  }

  /** Whether the server applied a change before it was restored from a backup. */
  #wasAppliedBefore(uid: string, id: string): boolean {
    const [, ...earlier] = this.timelinesOf(uid);
    return earlier.some(({ applied }) => applied.has(id));
  }

  /** The shopper's rows at the server now. */
  stateOf(uid: string): ShopperData {
    const present = this.#present(uid);
    return present.states.get(present.ver) ?? NOTHING;
  }

  /** The present timeline first. */
  timelinesOf(uid: string): readonly Timeline[] {
    return this.#all(uid).toReversed();
  }

  /** A copy of each shopper's present timeline, for `restore`. */
  backup(): ReadonlyMap<string, Timeline> {
    return new Map(
      [...this.#timelines.keys()].map((uid) => [uid, new Timeline(this.#present(uid))]),
    );
  }

  /** The server was restored from the backup that this copy belongs to. */
  restore(backup: ReadonlyMap<string, Timeline>): void {
    for (const [uid, timeline] of backup) this.#all(uid).push(new Timeline(timeline));
  }

  /**
   * Checks a shopper's rows after a request that may have written, and remembers them.
   *
   * @param write what another client has written; null for a request of the page
   * @returns whether the version has changed
   */
  observe(uid: string, server: ServerRows, write: RowWrite | null): boolean {
    const present = this.#present(uid);
    const before = present.states.get(present.ver) ?? NOTHING;
    let expected = write ? foldWrite(before, write) : before;
    for (const applied of server.applied) {
      const { id } = applied;
      this.#checkIdentity(uid, applied);
      if (isTooOld(applied)) this.#checkTooOld(applied);
      else {
        this.#checkOrder(uid, applied);
        expected = this.#foldApplied(expected, applied);
      }
      // The server rejects a change that it has forgotten, and records the change once more.
      const isForgotten = present.forgotten.delete(id);
      if (present.applied.has(id) && !(isForgotten && isTooOld(applied))) {
        this.#verdicts.break(1, `${id} is applied twice`);
      }
      present.applied.set(id, applied);
    }
    const rows = dataOf(server);
    if (shapeOf(rows) !== shapeOf(expected)) {
      const text = `are ${shapeOf(rows)}, not ${shapeOf(expected)}`;
      this.#verdicts.break(3, `rows of ${uid} at ${server.ver} ${text}`);
    }
    const hasChanged = JSON.stringify(rows) !== JSON.stringify(before);
    if (server.ver < present.ver || (server.ver === present.ver && hasChanged)) {
      this.#verdicts.break(
        3,
        `rows of ${uid} changed, and the version is ${server.ver} after ${present.ver}`,
      );
    }
    const isNewVersion = server.ver !== present.ver;
    present.ver = server.ver;
    present.states.set(server.ver, rows);
    return isNewVersion;
  }

  /** The server has forgotten changes; notes which. */
  noteForgotten(uid: string, server: ServerRows): void {
    const { applied, forgotten } = this.#present(uid);
    const left = new Set(server.applied.map(({ id }) => id));
    for (const id of applied.keys()) if (!left.has(id)) forgotten.add(id);
  }

  /** Whether the server has forgotten a change. */
  isForgotten(uid: string, id: string): boolean {
    return this.#present(uid).forgotten.has(id);
  }

  /** Checks at the end that the server's rows equal the last observed rows. */
  checkFinal(uid: string, server: ServerRows): void {
    const { applied, forgotten, states, ver } = this.#present(uid);
    const ids = server.applied.map(({ id }) => id);
    if (ids.length !== applied.size - forgotten.size || ids.some((id) => !applied.has(id))) {
      this.#verdicts.break(1, `applied_changes of ${uid} differ from what was seen before`);
    }
    const last = states.get(ver);
    if (server.ver !== ver || JSON.stringify(dataOf(server)) !== JSON.stringify(last)) {
      this.#verdicts.break(3, `rows of ${uid} differ from what was seen before`);
    }
  }

  /** The present timeline last. @throws when the shopper is not one of this schedule */
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

  #checkIdentity(uid: string, { id, kind, args, outcome }: AppliedChange): void {
    const stored = this.#changes.get(id);
    if (!stored || stored.uid !== uid) {
      this.#verdicts.break(1, `${id} is applied for ${uid}, whose phones never stored it`);
      return;
    }
    // The server may keep a rejected change without its arguments.
    const isSame =
      outcome === 'rejected' || canonicalJson(args) === canonicalJson(stored.change.args);
    if (kind !== stored.change.kind || !isSame) {
      this.#verdicts.break(1, `${id} is applied as something else than its phone stored`);
    }
  }

  /** Only a change of a phone whose storage was rolled back may be rejected as too old. */
  #checkTooOld({ id }: AppliedChange): void {
    this.#verdicts.count('changes rejected as too old');
    if (!this.rolledBackPhones.has(this.#changes.get(id)?.phone ?? '')) {
      this.#verdicts.break(3, `${id} is rejected as too old by a phone that forgot nothing`);
    }
  }

  #checkOrder(uid: string, { id }: AppliedChange): void {
    const stored = this.#changes.get(id);
    // The order does not matter for a change that its phone has lost, because a delayed request may bring it,
    // nor for a change that the server has lost, because a phone sends it again after later changes.
    if (!stored || stored.isGoneFromPhone) return;
    if (stored.wasInLocalStorage || this.#wasAppliedBefore(uid, id)) return;
    const { lastPositions } = this.#present(uid);
    const database = `${stored.phone} ${stored.database}`;
    const lastPosition = lastPositions.get(database) ?? -1;
    if (stored.position < lastPosition) {
      this.#verdicts.break(2, `${id} of phone ${stored.phone} is applied after a later one`);
    }
    lastPositions.set(database, Math.max(lastPosition, stored.position));
  }

  /** The rows after a change that the server has applied or rejected. Checks that this outcome is right. */
  #foldApplied(data: ShopperData, { kind, outcome, id }: AppliedChange): ShopperData {
    const stored = this.#changes.get(id);
    if (!stored) return data;
    const action: ChangeAction = stored.change;
    const after = foldChanges(data, [action]);
    const isPossible = this.#isPossible(action, after);
    if (isPossible !== (outcome === 'applied')) {
      this.#verdicts.break(3, `${kind} ${id} is ${outcome}, and it should not be`);
    }
    return outcome === 'applied' ? after : data;
  }

  /**
   * Whether the server must apply a change. It must reject an addition or a new quantity of a product that has
   * left the shop, a quantity outside 1 to 999, and an addition of less than 1.
   */
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

/** Whether the server has rejected a change because it may have applied and forgotten the change before. */
function isTooOld({ code }: AppliedChange): boolean {
  return code === SQLSTATE.raisedException;
}

/** The arguments of a change, in the alphabetical order of their names. */
function canonicalJson(args: unknown): string {
  return JSON.stringify(Object.entries(args ?? {}).sort(([a], [b]) => a.localeCompare(b)));
}
