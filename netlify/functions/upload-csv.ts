import type { Config } from '@netlify/functions';
import { readProductCsv } from '../../src/csv/products.ts';
import type { Fields } from '../../src/domain/fields.ts';
import { json, HttpError, MAX_UPLOAD_BYTES, servePost } from '../lib/http.ts';
import {
  admitImporter,
  digestOf,
  type Importer,
  MAX_ROWS_PER_PART,
  MAX_ROWS_PER_REQUEST,
  type PartCounts,
  writePart,
  writeInParts,
} from '../lib/imports.ts';
import { parseUpload } from '../lib/import-request.ts';

const MAX_REJECTED_ROWS_LISTED = 100;

/**
 * Takes a product CSV, or one part of an import, which is a whole CSV with a header line of its own:
 *
 * - `csv`, or `csvGzip`: the same text in UTF-8, packed by gzip, in base64, because a host may decode or refuse a
 *   compressed body
 * - `importId`, `part`, `totalParts`: which part of which import this is; absent for a whole file
 * - `fileName`, and `fileDigest`, by which the import of a file is found again
 * - `blankCellsClear`: whether a blank cell empties what is stored
 * - `leftOut`: the counts of rows that the sender has left out
 * - `isRange`: whether the file is the whole range of the shop
 * - `kept` and `hidden`: keys of products that the file names without a row to store. The end of a whole range keeps
 *   the first on sale; the second go off sale. A part may hold such keys alone.
 *
 * The server checks every rule that the page has checked, stores the rows that pass, and answers with the number
 * of the others and the first of them.
 */
export default servePost(admitImporter, storeUpload, MAX_UPLOAD_BYTES);

async function storeUpload({ settings, caller }: Importer, fields: Fields): Promise<Response> {
  const { csv, position, fileName, fileDigest, blankCellsClear, leftOut, aside } =
    await parseUpload(fields);
  const read = readProductCsv(csv, { blankCellsClear });
  if (!read.ok) throw new HttpError(422, read.sentence);
  const { products } = read;
  const rejectedCount = read.rejected.length;
  const rejections = {
    rejected: read.rejected.slice(0, MAX_REJECTED_ROWS_LISTED),
    rejected_count: rejectedCount,
    replaced_count: read.replaced,
  };
  const isEmpty = products.length + aside.kept.length + aside.hidden.length === 0;
  if (isEmpty) throw new HttpError(422, nothingToStore(rejectedCount), rejections);
  const maxRows = position ? MAX_ROWS_PER_PART : MAX_ROWS_PER_REQUEST;
  if (products.length > maxRows) {
    throw new HttpError(
      413,
      `That’s ${products.length} rows; one request takes ${maxRows} at most.`,
    );
  }

  const content = {
    fileName,
    fileDigest,
    digest: digestOf(csv, blankCellsClear, aside),
    products,
    leftOut: {
      replaced: leftOut.replaced + read.replaced,
      rejected: leftOut.rejected + rejectedCount,
      skipped: leftOut.skipped,
    },
    // A row that the server rejects keeps its product on sale, too.
    aside: { ...aside, kept: [...aside.kept, ...read.rejectedKeys] },
  };
  const written = position
    ? { ...(await writePart(settings, caller, position, content)), importId: position.importId }
    : await writeInParts(settings, caller, content);
  return json({ ...messageAndCounts(written), ...rejections, import_id: written.importId });
}

function messageAndCounts({ inserted, updated, unchanged, off_sale }: PartCounts) {
  const processed = inserted + updated + unchanged;
  return {
    message: `Import successful! Processed ${processed} records.`,
    processed_count: processed,
    inserted,
    updated,
    unchanged,
    off_sale,
  };
}

function nothingToStore(rejectedCount: number): string {
  return rejectedCount === 0 ? 'There’s nothing below the headings.' : 'No rows were saved.';
}

// A page sends three parts at a time, and each takes the server at least a fifth of a second: 900 a minute
// at most.
export const config: Config = {
  path: '/.netlify/functions/upload-csv',
  rateLimit: { windowLimit: 900, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
