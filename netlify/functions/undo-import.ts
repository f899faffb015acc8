import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { json, parseBody, servePost } from '../lib/http.ts';
import { admitImporter, undoStep } from '../lib/imports.ts';
import { IMPORT_ID } from '../lib/import-request.ts';

const REQUEST = v.object({ importId: IMPORT_ID });

/** `POST {importId}` does one step of undoing an import. The page repeats it while `left` is above 0. */
export default servePost(admitImporter, async ({ settings, caller }, fields) => {
  const { importId } = parseBody(REQUEST, fields);
  return json(await undoStep(settings, caller, importId));
});

// Each request is a step; undoing a million products takes 100.
export const config: Config = {
  path: '/.netlify/functions/undo-import',
  rateLimit: { windowLimit: 300, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
