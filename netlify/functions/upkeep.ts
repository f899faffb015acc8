/**
 * Netlify runs this function three times each night, because a run may be killed. It ignores the request, so a
 * stranger's call gains nothing.
 */
import type { Config } from '@netlify/functions';
import { json, serve } from '../lib/http.ts';
import { netlifyPorts } from '../lib/ports.ts';
import { keepUp } from '../lib/upkeep.ts';

export default serve('POST', async () => {
  const neglected = await keepUp(netlifyPorts());
  // A log of runs then shows by the status alone which of them left a step undone.
  return json({ neglected }, neglected > 0 ? 503 : 200);
});

export const config: Config = { schedule: '0,20,40 3 * * *' };
