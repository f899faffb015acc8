/**
 * `POST {password}` with a bearer token: deletes the account for good, and answers with
 * `{deleted: true}`.
 */
import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { admitShopper, requirePassword } from '../lib/auth.ts';
import { backendSettings } from '../lib/env.ts';
import { HttpError, json, parseBody, servePost } from '../lib/http.ts';
import { deleteAccount } from '../lib/account.ts';
import { netlifyPorts } from '../lib/ports.ts';

/** Longer passwords are rejected without asking the auth service, which hashes each of them. */
const MAX_PASSWORD_CHARS = 1000;

const NO_PASSWORD = 'Enter your password to delete the account.';
const REQUEST = v.object({
  password: v.pipe(v.string(NO_PASSWORD), v.nonEmpty(NO_PASSWORD)),
});

export default servePost(admitShopper, async (caller, fields) => {
  const { password } = parseBody(REQUEST, fields);
  if (password.length > MAX_PASSWORD_CHARS) {
    throw new HttpError(403, 'That password isn’t right.', { code: 'password' });
  }
  await requirePassword(backendSettings(), caller, password);
  await deleteAccount(netlifyPorts(), caller.id);
  return json({ deleted: true });
});

/** A low limit, because each request may be a guess at the password. */
export const config: Config = {
  path: '/.netlify/functions/delete-account',
  rateLimit: { windowLimit: 10, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
