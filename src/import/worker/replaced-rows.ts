import type { ImportPlan } from '../../db/import-jobs.ts';
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
 * The replaced rows of a file, which a second reading compares with the rows that replace them. Hashes
 * of the first reading would slow every file down for the sake of those with repeated products. 16 bytes
 * a replaced row, and 30 a product that has any.
 */
export class ReplacedRows {
  count = 0;
  readonly #replaced: Uint8Array;
  readonly #key = new TextHash();
  readonly #values = new TextHash();
  /** Numbers the products that have replaced rows; the lists `last…` are by that number. */
  readonly #products = new KeyTable();
  readonly #lastLine = new NumberList();
  readonly #lastValues = new NumberList();
  readonly #lastRow = new NumberList();
  /** By the order of the replaced rows in the file. */
  readonly #lines = new NumberList();
  readonly #valuesOf = new NumberList();
  readonly #productOf = new NumberList();

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
    const values = this.#values.of(...others.map((value = '') => value)).low;
    if (isReplaced) {
      this.#lines.set(this.count, line);
      this.#valuesOf.set(this.count, values);
      this.#productOf.set(this.count, product);
      this.count += 1;
    } else {
      this.#lastLine.set(product, line);
      this.#lastValues.set(product, values);
      this.#lastRow.set(product, row);
    }
  };

  /** @param index in the order of the file, below `count`; valid after the last row */
  at(index: number): ReplacedRow {
    const product = this.#productOf.at(index);
    return {
      line: this.#lines.at(index),
      byLine: this.#lastLine.at(product),
      isSame: this.#valuesOf.at(index) === this.#lastValues.at(product),
    };
  }

  /** The numbers of the rows that replace others. */
  lastRows(): Uint8Array {
    const rows = new BitSet();
    for (let product = 0; product < this.#products.size; product++) {
      rows.add(this.#lastRow.at(product));
    }
    return rows.toBytes();
  }
}
