/**
 * `GET` with the bearer token of staff. With `?order=<id>` the answer is that order; with `?csv` a file of what is to
 * be sent; otherwise a page of `?list=` (to-send, sent, open, person) or of `?search=`, from `&after=` on.
 */
import type { Config } from '@netlify/functions';
import { json, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { admitStaff, answerStaff } from '../lib/staff.ts';

export default serve('GET', async (request) => {
  await admitStaff(request);
  return json(await answerStaff(netlifyPorts(), new URL(request.url).searchParams));
});

export const config: Config = {
  path: '/.netlify/functions/staff-orders',
  rateLimit: { windowLimit: 240, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
