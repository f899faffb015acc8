import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { json, parseBody, servePost } from '../lib/http.ts';
import { admitImporter, endRange } from '../lib/imports.ts';
import { IMPORT_ID, wholeNumber } from '../lib/import-request.ts';

const REQUEST = v.object({
  importId: IMPORT_ID,
  confirmed: v.nullish(wholeNumber('confirmed', 0, Number.MAX_SAFE_INTEGER), null),
});

/**
 * `POST {importId, confirmed}` ends an import whose file is the whole range of the shop: products that it lacks go
 * off sale. Where they are more than a tenth, it answers `done: false` until `confirmed` is their number.
 */
export default servePost(admitImporter, async ({ settings, caller }, fields) => {
  const { importId, confirmed } = parseBody(REQUEST, fields);
  return json(await endRange(settings, caller, importId, confirmed));
});

export const config: Config = {
  path: '/.netlify/functions/end-import',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
