/** Asks the shop whether it has all parts of an import. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

/** False also for an import that the shop does not list: it lists none that has changed nothing. */
export type AskFinished = (
  token: string,
  importId: string,
  signal: AbortSignal,
) => Promise<Answer<boolean>>;

const TIMEOUT_MS = 45_000;

/** @param origin the page's own origin, without a slash at its end */
export function finishedAsker(origin: string, fetch: typeof globalThis.fetch): AskFinished {
  return (token, importId, signal) =>
    request({
      url: `${origin}/.netlify/functions/imports`,
      token,
      signal,
      timeoutMs: TIMEOUT_MS,
      parse(answer) {
        const { may_import: mayImport, last, earlier } = fieldsOf(answer);
        if (typeof mayImport !== 'boolean') return null;
        const listed: readonly unknown[] = Array.isArray(earlier) ? [last, ...earlier] : [last];
        return listed
          .map(fieldsOf)
          .some(({ import_id: id, state }) => id === importId && state === 'finished');
      },
      fetch,
    });
}
