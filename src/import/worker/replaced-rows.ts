import type { ImportPlan } from './plan.ts';
import { BitSet, hasBit, KeyTable, NumberList } from './key-table.ts';
import type { TakeRow } from './rows.ts';
import { TextHash } from './text-hash.ts';

/** A row that a later row of the same product replaces. */
export interface ReplacedRow {
  readonly line: number;
  /** The line of the last row of the product, which is the one that is stored. */
  readonly byLine: number;
  /** Whether both rows would store the same. */
  readonly isSame: boolean;
}

/**
 * The replaced rows of a file. A second reading of the file compares them, by hashes of their values, with
 * the rows that replace them: to compute the hashes in the first reading would slow down every file, also
 * those without repeated products. Takes about 16 bytes for each replaced row, and about 30 for each product
 * with any.
 */
export class ReplacedRows {
  count = 0;
  readonly #replaced: Uint8Array;
  readonly #key = new TextHash();
  readonly #values = new TextHash();
  /** Numbers the products that have replaced rows. */
  readonly #products = new KeyTable();
  /** By product: its last row, the line of that row, and the hash of its values. */
  readonly #lastRows = new NumberList();
  readonly #lastLines = new NumberList();
  readonly #lastHashes = new NumberList();
  /** By index of the replaced row: its line, the hash of its values, and its product. */
  readonly #lines = new NumberList();
  readonly #hashes = new NumberList();
  readonly #productOfRow = new NumberList();

  constructor({ replaced }: Pick<ImportPlan, 'replaced'>) {
    this.#replaced = replaced;
  }

  readonly take: TakeRow = (validated, _cells, line, row) => {
    if (!validated.ok) return;
    const [skc = '', size = '', ...others] = validated.values;
    const { high, low } = this.#key.of(skc, size);
    const isReplaced = hasBit(this.#replaced, row);
    const product = isReplaced ? this.#products.enter(high, low) : this.#products.find(high, low);
    if (product < 0) return;
    const hash = this.#values.of(...others.map((value = '') => value)).low;
    if (isReplaced) {
      this.#lines.set(this.count, line);
      this.#hashes.set(this.count, hash);
      this.#productOfRow.set(this.count, product);
      this.count += 1;
    } else {
      this.#lastRows.set(product, row);
      this.#lastLines.set(product, line);
      this.#lastHashes.set(product, hash);
    }
  };

  /** @param index of the replaced row, in the order of the file. Call it after the last row of the file. */
  at(index: number): ReplacedRow {
    const product = this.#productOfRow.at(index);
    return {
      line: this.#lines.at(index),
      byLine: this.#lastLines.at(product),
      isSame: this.#hashes.at(index) === this.#lastHashes.at(product),
    };
  }

  /** The rows that replace others, in the form that `hasBit` reads. */
  lastRows(): Uint8Array {
    const rows = new BitSet();
    for (let product = 0; product < this.#products.size; product++) {
      rows.add(this.#lastRows.at(product));
    }
    return rows.toBytes();
  }
}
