/** Reads and changes products for the shop's staff, with their own token. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { type Fields, fieldsOf, parseEach } from '../domain/fields.ts';
import { parseProductRow, PRODUCT_COLUMNS, type ProductRow } from '../domain/product.ts';
import type { TokenSource } from './auth/token-source.ts';
import { callFunction } from './request.ts';

/** A product as the shop has it now. */
export interface StaffProduct {
  readonly row: ProductRow;
  /** Version of its last change. */
  readonly ver: number;
  readonly isOffSale: boolean;
}

/** A column of products that staff may change. */
export type ValueColumn = Exclude<(typeof PRODUCT_COLUMNS)[number], 'id' | 'SKC' | 'Size'>;

/** A change of products of one stock code, as the function `change-products` reads it. */
export interface ProductsChange {
  /** A UUID. The shop makes a change once, however often it is sent. */
  readonly importId: string;
  /** The products as the person saw them. Version null: there is no such product, and it is added. */
  readonly seen: readonly (readonly [skc: string, size: string, ver: number | null])[];
  /** What the person typed, by column. */
  readonly values: Readonly<Partial<Record<ValueColumn, string>>>;
  /** Takes the products off sale; otherwise they are on sale afterwards. */
  readonly offSale: boolean;
}

const TIMEOUT_MS = 20_000;

export function productsRemote(tokens: TokenSource, uid: string) {
  const read = (query: Readonly<Record<string, string>>) =>
    callFunction(tokens, uid, {
      name: `staff-products?${new URLSearchParams(query).toString()}`,
      timeoutMs: TIMEOUT_MS,
      parse: ({ products }) => parseEach(products, parseStaffProduct),
    });
  const post = (body: object) =>
    callFunction(tokens, uid, {
      name: 'change-products',
      body,
      timeoutMs: TIMEOUT_MS,
      parse: (fields) => fields,
    });

  return {
    /** All products of a stock code, also those off sale. */
    ofCode: (code: string): Promise<Answer<readonly StaffProduct[]>> => read({ code }),
    /** The first products off sale that a text finds. */
    offSale: (search: string): Promise<Answer<readonly StaffProduct[]>> => read({ search }),
    /** Changes all of these products, or none. */
    change: (change: ProductsChange): Promise<Answer<Fields>> => post(change),
    /** Takes back a change of this user's. */
    undo: (importId: string): Promise<Answer<Fields>> => post({ undo: importId }),
  };
}

function parseStaffProduct(value: unknown): StaffProduct | null {
  const fields = fieldsOf(value);
  const row = parseProductRow(PRODUCT_COLUMNS.map((column) => fields[column]));
  const { ver, off_sale: isOffSale } = fields;
  return row && typeof ver === 'number' ? { row, ver, isOffSale: isOffSale === true } : null;
}
