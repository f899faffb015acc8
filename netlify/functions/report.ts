/**
 * What went wrong at a customer's: the browser reports what the content security policy blocked, and
 * the page reports uncaught errors and moves to memory. Each becomes one line of the log, without
 * anything personal. Answers 204, whether a line was written or not.
 */
import type { Config } from '@netlify/functions';
import { readText, serve } from '../lib/http.ts';
import { lineBudget, readReports } from '../lib/reports.ts';

const MAX_REPORT_BYTES = 8 * 1024;

/** Of this instance; Netlify's limit below holds for each sender. */
const budget = lineBudget(30, () => Date.now());

export default serve('POST', async (request) => {
  const type = request.headers.get('content-type') ?? '';
  for (const line of await readReports(type, () => readText(request, MAX_REPORT_BYTES))) {
    if (budget.take()) console.error(line);
  }
  return new Response(null, { status: 204 });
});

export const config: Config = {
  path: '/.netlify/functions/report',
  rateLimit: { windowLimit: 20, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
