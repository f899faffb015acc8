/**
 * Oracle of invariant 12: a visitor's tap is stored as it was tapped, and only for a shopper who has logged in from
 * the tap's alert. That it is stored at all, `e2e/before-login` shows.
 */
import type { OutboxRow } from '../../../src/db/database.ts';
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { SyncVerdicts } from './verdicts.ts';

interface DeferredTap {
  readonly action: ChangeAction;
  /** For whom the tap may be stored: who logged in from its alert. */
  readonly shoppers: Set<string>;
  onStored: () => void;
}

export class DeferredTaps {
  #taps = new Map<string, DeferredTap>();
  #verdicts: SyncVerdicts;

  constructor(verdicts: SyncVerdicts) {
    this.#verdicts = verdicts;
  }

  /** An alert has offered a login for this tap. */
  add(id: string, action: ChangeAction): void {
    this.#taps.set(id, { action, shoppers: new Set(), onStored: () => undefined });
  }

  /** From now on the tap may be stored for this shopper. */
  allow(id: string, uid: string): void {
    this.#taps.get(id)?.shoppers.add(uid);
  }

  /** Whether this is the id of a visitor's tap. */
  has(id: string): boolean {
    return this.#taps.has(id);
  }

  /** Calls `run` when a phone has stored the change of this tap. */
  whenStored(id: string, run: () => void): void {
    const tap = this.#taps.get(id);
    if (tap) tap.onStored = run;
  }

  /** Checks a change that a phone stores. Returns false when it was no tap of a visitor. */
  checkStored({ id, uid, change }: OutboxRow): boolean {
    const tap = this.#taps.get(id);
    if (!tap) return false;
    const { kind, args } = tap.action;
    if (!tap.shoppers.has(uid)) {
      this.#verdicts.break(12, `${id}, tapped by a visitor, is stored for ${uid.slice(0, 4)}`);
    }
    if (change.kind !== kind || JSON.stringify(change.args) !== JSON.stringify(args)) {
      this.#verdicts.break(12, `${id} is stored as something else than was tapped`);
    }
    tap.onStored();
    return true;
  }
}
