/** Ends an import whose file is the whole range of the shop. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

/** What the shop says of the products that the file lacks. */
export interface RangeAnswer {
  /** How many go off sale, of how many that are on sale. */
  readonly leaving: number;
  readonly of: number;
  /** False where they are so many that the user must say yes to just that number first. */
  readonly isDone: boolean;
}

export type EndRange = (
  token: string,
  importId: string,
  /** The number to which the user has said yes; null before the shop has named one. */
  confirmed: number | null,
  signal: AbortSignal,
) => Promise<Answer<RangeAnswer>>;

const TIMEOUT_MS = 60_000;

/** @param origin the page's own origin, without a slash at its end */
export function rangeEnder(origin: string, fetch: typeof globalThis.fetch): EndRange {
  return (token, importId, confirmed, signal) =>
    request({
      url: `${origin}/.netlify/functions/end-import`,
      token,
      body: new Blob([JSON.stringify({ importId, confirmed })]),
      signal,
      timeoutMs: TIMEOUT_MS,
      parse(answer) {
        const { leaving, of, done } = fieldsOf(answer);
        const isRead = typeof leaving === 'number' && typeof of === 'number';
        return isRead && typeof done === 'boolean' ? { leaving, of, isDone: done } : null;
      },
      fetch,
    });
}
