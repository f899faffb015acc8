import { fieldsOf, parseEach } from '../domain/fields.ts';
import { parseProductRow, PRODUCT_COLUMNS } from '../domain/product.ts';

declare global {
  interface Window {
    /** The answer's body to the request that `index.html` sends on a first visit, or null. */
    readonly firstPage?: Promise<unknown>;
  }
}

/** The first products of a first visit; null on any other visit, or if the request failed. */
export const firstRows = Promise.resolve(window.firstPage).then((answer) =>
  parseEach(answer, (record) => {
    const fields = fieldsOf(record);
    return parseProductRow(PRODUCT_COLUMNS.map((name) => fields[name]));
  }),
);
