import type { Config } from '@netlify/functions';
import { json, servePost } from '../lib/http.ts';
import { admitImporter, undoStep } from '../lib/imports.ts';
import { parseImportId } from '../lib/upload.ts';

/** `POST {importId}` does one step of undoing an import. The page repeats it while `left` is above 0. */
export default servePost(admitImporter, async ({ settings, caller }, fields) => {
  return json(await undoStep(settings, caller, parseImportId(fields['importId'])));
});

// Each request is a step; undoing a million products takes 100.
export const config: Config = {
  path: '/.netlify/functions/undo-import',
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
