import type { Config } from '@netlify/functions';
import { json, servePost } from '../lib/http.ts';
import { admitImporter, endRange } from '../lib/imports.ts';
import { parseConfirmed, parseImportId } from '../lib/upload.ts';

/**
 * `POST {importId, confirmed}` ends an import whose file is the whole range of the shop: products that it lacks go
 * off sale. Where they are more than a tenth, it answers `done: false` until `confirmed` is their number.
 */
export default servePost(admitImporter, async ({ settings, caller }, fields) => {
  const importId = parseImportId(fields['importId']);
  return json(await endRange(settings, caller, importId, parseConfirmed(fields)));
});

export const config: Config = {
  path: '/.netlify/functions/end-import',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
