/** Asks the shop for an import of a file that was begun and not finished. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { fieldsOf } from '../domain/fields.ts';
import { request } from './request.ts';

export interface UnfinishedImport {
  readonly importId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Null where this user has begun none, or somebody has changed the catalogue since. */
export type AskUnfinished = (
  token: string,
  /** As the first part has named the file. */
  fileDigest: string,
  signal: AbortSignal,
) => Promise<Answer<UnfinishedImport | null>>;

const TIMEOUT_MS = 45_000;

/** @param origin the page's own origin, without a slash at its end */
export function unfinishedAsker(origin: string, fetch: typeof globalThis.fetch): AskUnfinished {
  return async (token, fileDigest, signal) => {
    const answer = await request({
      url: `${origin}/.netlify/functions/imports?file=${fileDigest}`,
      token,
      signal,
      timeoutMs: TIMEOUT_MS,
      parse(fields) {
        const { may_import: mayImport, unfinished } = fieldsOf(fields);
        if (typeof mayImport !== 'boolean') return null;
        const { import_id: importId, started_at: time } = fieldsOf(unfinished);
        const startedAt = typeof time === 'string' ? Date.parse(time) : Number.NaN;
        const isKnown = typeof importId === 'string' && !Number.isNaN(startedAt);
        return { unfinished: isKnown ? { importId, startedAt } : null };
      },
      fetch,
    });
    return answer.ok ? { ok: true, value: answer.value.unfinished } : answer;
  };
}
