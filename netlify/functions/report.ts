/**
 * Takes reports from shoppers' browsers: what the content security policy blocked, uncaught errors, and
 * that a page had to keep its data in memory. Each becomes one line of the log, without anything personal.
 * Answers 204, whether a line was written or not.
 */
import type { Config } from '@netlify/functions';
import { readBodyText, serve } from '../lib/http.ts';
import { lineBudget, readReports } from '../lib/reports.ts';

const MAX_REPORT_BYTES = 8 * 1024;

const LINES_PER_MINUTE = 30;

/** Limits what this instance writes; Netlify's limit below holds for each sender. */
const budget = lineBudget(LINES_PER_MINUTE, () => Date.now());

export default serve('POST', async (request) => {
  const type = request.headers.get('content-type') ?? '';
  for (const line of await readReports(type, () => readBodyText(request, MAX_REPORT_BYTES))) {
    if (budget.take()) console.error(line);
  }
  return new Response(null, { status: 204 });
});

export const config: Config = {
  path: '/.netlify/functions/report',
  rateLimit: { windowLimit: 20, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
