import { backendSettings } from '../lib/env.ts';
import { json, servePost } from '../lib/http.ts';
import { requireImporter, undoStep } from '../lib/imports.ts';
import { parseImportId } from '../lib/upload.ts';

/** Takes one step of undoing an import, `{ importId }`. The page calls it while `left` is above 0. */
export default servePost(async (request, fields) => {
  const settings = backendSettings();
  const caller = await requireImporter(request, settings);
  return json(await undoStep(settings, caller, parseImportId(fields['importId'])));
});
