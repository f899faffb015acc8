/** The sample catalogue that a new shop opens with, and the way products get into the database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import type { Backend } from './backend.ts';

export const PRODUCT_COLUMNS = [
  'SKC',
  'Size',
  'Images link',
  'Category 1',
  'Category 2',
  'Category 3',
  'Category 4',
  'Retail Price',
  'Material',
  'Fabric Composition',
] as const;

/** A row for `import_products`: text as in the file, null for an empty cell. */
export type ImportRow = Partial<Record<(typeof PRODUCT_COLUMNS)[number], string | number | null>>;

export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
}

const SAMPLE_FILE = join(import.meta.dirname, '../seed/catalogue.csv');
const ROWS_PER_CALL = 2000;

export function readSampleCatalogue(): ImportRow[] {
  const { data, errors } = Papa.parse<Record<string, string>>(readFileSync(SAMPLE_FILE, 'utf8'), {
    header: true,
    skipEmptyLines: 'greedy',
  });
  if (errors[0] !== undefined) throw new Error(`catalogue.csv: ${errors[0].message}`);
  return data.map((cells) =>
    Object.fromEntries(
      PRODUCT_COLUMNS.map((column) => [column, emptyToNull(column, cells[column]?.trim())]),
    ),
  );
}

/** Loads the sample catalogue into an empty shop, and returns how many products that were. */
export async function loadSampleCatalogue(backend: Backend): Promise<number> {
  const [first] = await backend.query('select 1 from public.products limit 1');
  if (first !== undefined) return 0;
  return (await importRows(backend, readSampleCatalogue())).inserted;
}

/** Sends rows through `import_products`, some thousand at a time. */
export async function importRows(
  backend: Backend,
  rows: readonly ImportRow[],
): Promise<ImportCounts> {
  const total = { inserted: 0, updated: 0, unchanged: 0 };
  for (let start = 0; start < rows.length; start += ROWS_PER_CALL) {
    const part = JSON.stringify(rows.slice(start, start + ROWS_PER_CALL));
    const [answer] = await backend.query('select public.import_products($1::jsonb) as counts', [
      part,
    ]);
    const counts = answer?.['counts'] as ImportCounts;
    total.inserted += counts.inserted;
    total.updated += counts.updated;
    total.unchanged += counts.unchanged;
  }
  return total;
}

function emptyToNull(column: string, cell: string | undefined): string | null {
  if (cell) return cell;
  return column === 'Size' ? '' : null;
}
