import type { Config } from '@netlify/functions';
import { parseMatch } from '../../src/csv/remembered.ts';
import { HttpError, json, servePost } from '../lib/http.ts';
import { admitImporter, rememberMatch } from '../lib/imports.ts';

/**
 * `POST {headings, columns, rulesOff}` remembers for all staff which column of the shop each heading of a file
 * means. The page sends it when an import of that file has ended.
 */
export default servePost(admitImporter, async ({ settings, caller }, fields) => {
  const match = parseMatch(fields);
  if (!match) throw new HttpError(400, 'These are no headings with their columns.');
  await rememberMatch(settings, caller, match);
  return json({ remembered: true });
});

export const config: Config = {
  path: '/.netlify/functions/import-match',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
