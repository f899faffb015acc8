import { fieldsOf } from '../domain/fields.ts';
import { rowsIn } from '../domain/product-columns.ts';

declare global {
  interface Window {
    /** The answer's body to the request that `index.html` sends on a first visit, or null. */
    readonly firstPage?: Promise<unknown>;
  }
}

/** The first products of a first visit; null on any other visit, or if the request failed. */
export const firstRows = Promise.resolve(window.firstPage).then((answer) =>
  rowsIn(fieldsOf(answer)['columns']),
);
