/**
 * `POST {importId, seen: [[stock code, size, version]], values: {column: text}, offSale}` with the bearer token of
 * staff changes products of one stock code by hand; `POST {undo: importId}` takes such a change of one's own back.
 */
import type { Config } from '@netlify/functions';
import * as v from 'valibot';
import { admitToProducts, changeByHand } from '../lib/products-by-hand.ts';
import { json, parseBody, servePost } from '../lib/http.ts';
import { undoStep } from '../lib/imports.ts';
import { IMPORT_ID } from '../lib/import-request.ts';

const UNDO = v.object({ undo: v.nullish(IMPORT_ID, null) });

export default servePost(admitToProducts, async (staff, fields) => {
  const { undo } = parseBody(UNDO, fields);
  if (undo !== null)
    return json(await undoStep(staff.settings, staff.caller, undo, { mayUndoOthers: false }));
  return json(await changeByHand(staff, fields));
});

export const config: Config = {
  path: '/.netlify/functions/change-products',
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
