/**
 * `GET ?user=` without a token; answers with `{deleted}`. A phone whose session the auth service has ended
 * asks whether the owner has deleted the account: only then may it drop changes that it has not sent yet.
 * It has no token any more, so it names the user's id, which cannot be guessed.
 */
import type { Config } from '@netlify/functions';
import { isUuid } from '../../src/domain/fields.ts';
import { backendSettings } from '../lib/env.ts';
import { HttpError, json, serve } from '../lib/http.ts';
import { wasDeleted } from '../lib/people.ts';

export default serve('GET', async (request) => {
  const user = new URL(request.url).searchParams.get('user');
  if (!isUuid(user)) {
    throw new HttpError(400, 'Name an account by its id (?user=).', { code: 'user' });
  }
  return json({ deleted: await wasDeleted(backendSettings(), user) });
});

export const config: Config = {
  path: '/.netlify/functions/account-deleted',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
