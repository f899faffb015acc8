/** What a person may ask of the shop about their account. Failures are values. */
import type { Answer } from '../domain/failure.ts';
import { type Fields, fieldsOf } from '../domain/fields.ts';
import type { TokenSource } from './auth/token-source.ts';
import { callFunction } from './request.ts';

/** Longer than the other timeout, because the function first closes open payment pages at their providers. */
const DELETION_TIMEOUT_MS = 40_000;
const TIMEOUT_MS = 20_000;

export function accountRemote(tokens: TokenSource, uid: string) {
  return {
    /** Deletes the account for good, if the auth service accepts the password. Status 410: it is gone already. */
    deleteAccount: (password: string): Promise<Answer<true>> =>
      callFunction(tokens, uid, {
        name: 'delete-account',
        body: { password },
        timeoutMs: DELETION_TIMEOUT_MS,
        parse: ({ deleted }) => (deleted === true ? true : null),
      }),
    /** All that the shop has about the shopper. */
    exportAccount: (): Promise<Answer<Fields>> =>
      callFunction(tokens, uid, {
        name: 'export-account',
        timeoutMs: TIMEOUT_MS,
        parse: (fields) => (fieldsOf(fields['account'])['id'] === uid ? fields : null),
      }),
  };
}
