/**
 * `POST {change, orders: [{id, refunded_minor, sent_at}]}` with the bearer token of staff: `send` (with `carrier` and
 * `tracking_url`), `unsend`, or `close` for a review (with `outcome` and `note`). All orders are changed, or none. The
 * answer is `{at}`, the time of the change.
 */
import type { Config } from '@netlify/functions';
import { json, servePost } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { admitStaff, changeAsAsked } from '../lib/staff.ts';

export default servePost(admitStaff, async (staff, fields) => {
  return json({ at: await changeAsAsked(netlifyPorts(), staff, fields) });
});

export const config: Config = {
  path: '/.netlify/functions/change-orders',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
