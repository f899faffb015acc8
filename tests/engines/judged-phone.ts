/**
 * A shopper on one device, whose taps the simulator's oracle judges. The oracle is told of each change that
 * the page has stored, and of the server's rows after each tap. The screen must show what all taps have done.
 */
import { expect } from 'vitest';
import { type Change, type ChangeAction, foldChanges, NOTHING } from '../../src/domain/change.ts';
import type { OutboxRow } from '../../src/db/database.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { UnmatchedTaps } from '../model/sync/expected-changes.ts';
import { Oracle } from '../model/sync/oracle.ts';
import { DEVICE } from '../model/sync/phone-storage.ts';
import type { ServerRows } from '../model/sync/server.ts';
import { SyncVerdicts } from '../model/sync/verdicts.ts';
import { callOf } from './engine.ts';
import type { Visitor } from './visitor.ts';

const POLL_EVERY_MS = 50;
/** The number of this invariant in `model/sync/verdicts.ts`. */
const CONTENTS_AS_STORED = 1;

export class JudgedPhone {
  /** Without a log, which alone would need the clock. */
  readonly #verdicts = new SyncVerdicts(() => 0);
  readonly #oracle: Oracle;
  readonly #uid: string;
  readonly #backend: Backend;
  readonly #taps = new UnmatchedTaps();
  readonly #changes: Change[] = [];

  /** @param products ids of the products in the shop; these schedules compare nothing else of a product */
  constructor(backend: Backend, uid: string, products: readonly number[]) {
    this.#backend = backend;
    this.#uid = uid;
    this.#oracle = new Oracle(this.#verdicts, new Map(products.map((id) => [id, null])), [uid]);
  }

  /** What the taps so far have made of an empty cart and no favourites. */
  get expected() {
    return foldChanges(NOTHING, this.#changes);
  }

  get #pieces(): number {
    return this.expected.cart.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /** Taps, and waits until the page has stored what the tap must change and shows it. */
  async tap(visitor: Visitor, action: ChangeAction, press: () => Promise<void>): Promise<void> {
    await visitor.tab.evaluate(callOf(recordOutbox));
    this.#taps.add(this.#uid, action);
    await press();
    let rows: readonly OutboxRow[] = [];
    const countStored = async () => {
      rows = await visitor.tab.evaluate('takeStoredRows()');
      return rows.length;
    };
    const message = `${action.kind} is stored`;
    await expect.poll(countStored, { message, interval: POLL_EVERY_MS }).toBeGreaterThan(0);
    for (const row of rows) this.#store(row);
    await this.waitUntilShown(visitor);
    await this.observe();
  }

  /** Waits until the header says how many pieces all taps so far have put into the cart. */
  async waitUntilShown({ tab }: Visitor): Promise<void> {
    const count = () =>
      tab.evaluate(
        `document.querySelector('header a[href="/cart"]')?.innerText.replace(/\\D/g, '')`,
      );
    const expected = this.#pieces === 0 ? '' : String(this.#pieces);
    await expect.poll(count, { interval: POLL_EVERY_MS }).toBe(expected);
  }

  /** Tells the oracle what the server has stored since the last call, and fails if that breaks an invariant. */
  async observe(): Promise<void> {
    const rows = await this.#rowsAfter(this.#oracle.versionOf(this.#uid));
    this.#oracle.observe(this.#uid, rows, null);
    expect(this.#verdicts.violations).toEqual([]);
  }

  /** Waits until the server has applied each change once, and judges the rows that have resulted. */
  async settle(): Promise<void> {
    const ids = this.#changes.map(({ id }) => id).sort();
    const applied = async () => {
      await this.observe();
      return (await this.#rowsAfter(-1)).applied.map(({ id }) => id).sort();
    };
    await expect.poll(applied, { timeout: 90_000 }).toEqual(ids);
    this.#oracle.checkFinal(this.#uid, await this.#rowsAfter(-1));
    expect(this.#verdicts.violations).toEqual([]);
    const { cart, favourites } = this.#oracle.stateOf(this.#uid);
    const { expected } = this;
    const quantities = (lines: typeof cart) =>
      lines.map(({ productId, quantity }) => [productId, quantity]);
    expect(quantities(cart)).toEqual(quantities(expected.cart));
    expect(new Set(favourites)).toEqual(new Set(expected.favourites));
  }

  #store({ id, uid, change }: OutboxRow): void {
    if (!this.#taps.remove(uid, change))
      this.#verdicts.break(CONTENTS_AS_STORED, `no tap asked for ${id}`);
    this.#oracle.add({
      id,
      uid,
      phone: 'phone',
      database: DEVICE,
      change,
      position: this.#changes.length,
      wasInLocalStorage: false,
      isGoneFromPhone: false,
    });
    this.#changes.push(change);
  }

  /** The shopper's rows, and the changes that were applied after a version. */
  async #rowsAfter(version: number): Promise<ServerRows> {
    const [row] = await this.#backend.query('select model.rows_of($1, $2) as rows', [
      this.#uid,
      version,
    ]);
    return row?.['rows'] as ServerRows; // what model.rows_of builds
  }
}

/** Runs in the page: makes `takeStoredRows()` return the rows that its outbox has stored since the last call. */
function recordOutbox(): void {
  if ('takeStoredRows' in globalThis) return;
  let stored: unknown[] = [];
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (value: unknown, ...key) {
    if (this.name === 'outbox') {
      this.transaction.addEventListener('complete', () => stored.push(value));
    }
    return add.call(this, value, ...key);
  };
  const takeStoredRows = () => stored.splice(0);
  Object.assign(globalThis, { takeStoredRows });
}
