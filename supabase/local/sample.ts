/** Loads the sample catalogue of a new shop, and imports products into the database. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportColumn } from '../../src/csv/columns.ts';
import { readProductCsv } from '../../src/csv/products.ts';
import type { Backend } from './backend.ts';

/** A row for `import_part`: null empties the stored value, an absent column leaves it. */
export type ImportRow = Readonly<Partial<Record<ImportColumn, string | number | null>>>;

export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}

const SAMPLE_FILE = join(import.meta.dirname, '../seed/catalogue.csv');
const ROWS_PER_PART = 10_000;

export function readSampleCatalogue(): ImportRow[] {
  const result = readProductCsv(readFileSync(SAMPLE_FILE, 'utf8'), { blankCellsClear: false });
  if (!result.ok) throw new Error(`catalogue.csv: ${result.sentence}`);
  const [rejected] = result.rejected;
  if (rejected !== undefined)
    throw new Error(`catalogue.csv, line ${rejected.line}: ${rejected.reason}`);
  return result.products.map(({ row }) => row);
}

/** Loads the sample catalogue into an empty shop, and returns its number of products; 0 for any other shop. */
export async function loadSampleCatalogue(backend: Backend): Promise<number> {
  const [first] = await backend.query('select 1 from public.products limit 1');
  if (first !== undefined) return 0;
  return (await importRows(backend, readSampleCatalogue(), 'catalogue.csv')).inserted;
}

/** Imports rows as one import without an owner, which therefore cannot be undone. */
export async function importRows(
  backend: Backend,
  rows: readonly ImportRow[],
  fileName: string | null = null,
): Promise<ImportCounts> {
  const id = randomUUID();
  const parts = Math.ceil(rows.length / ROWS_PER_PART);
  const total = { inserted: 0, updated: 0, unchanged: 0 };
  for (let part = 0; part < parts; part += 1) {
    const text = JSON.stringify(rows.slice(part * ROWS_PER_PART, (part + 1) * ROWS_PER_PART));
    const digest = createHash('sha256').update(text).digest('hex');
    const [answer] = await backend.query(
      `select public.import_part(p_import => $1, p_user => null, p_email => null, p_file_name => $2,
        p_part => $3, p_total_parts => $4, p_digest => $5, p_rows => $6::jsonb, p_rejected => 0) as counts`,
      [id, fileName, part, parts, digest, text],
    );
    const counts = answer?.['counts'] as ImportCounts; // what import_part returns
    total.inserted += counts.inserted;
    total.updated += counts.updated;
    total.unchanged += counts.unchanged;
  }
  return total;
}
