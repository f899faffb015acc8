import { parseRows } from '../remote/catalogue.ts';

declare global {
  interface Window {
    /** What `index.html` has asked for on a first visit: the answer's body, or null. */
    readonly firstPage?: Promise<unknown>;
  }
}

/** The first products of a first visit; null on any other, and when they did not come. */
export const firstRows = Promise.resolve(window.firstPage).then(parseRows);
