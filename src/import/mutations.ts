import { download } from '../browser/download.ts';
import { type ImportColumn, IMPORT_COLUMNS } from '../csv/columns.ts';
import { csvLine } from '../csv/write.ts';
import { notify } from '../ui/notices.ts';
import { shopFile } from '../ui/shop-file.ts';
import { printDetails } from './console.ts';
import type { ImportRun } from './import-run.ts';

/** Saves the report of the last check as a file, for the user to correct and import again. */
export function saveReport(run: ImportRun): Promise<void> {
  return makeAndDownload('import-report.csv', () => run.worker.report());
}

export function saveExport(run: ImportRun): Promise<void> {
  return makeAndDownload('catalogue.csv', () => run.worker.exportCatalogue());
}

export function saveTemplate(): void {
  download(shopFile('template.csv'), new Blob([templateCsv()], { type: 'text/csv;charset=utf-8' }));
}

/** A template file: the headings and two example rows. */
export function templateCsv(): string {
  const lines = [IMPORT_COLUMNS, exampleRow('M'), exampleRow('L')].map((cells) => csvLine(cells));
  // The byte order mark tells Excel that the file is UTF-8.
  return `\ufeff${lines.join('')}`;
}

function exampleRow(size: string): readonly string[] {
  const values: Readonly<Record<ImportColumn, string>> = {
    SKC: 'EXAMPLE-001',
    Size: size,
    'Images link': 'https://pictures.example/shirt-front.jpg',
    'Category 1': 'Oxford shirt',
    'Category 2': 'Men',
    'Category 3': 'Shirts',
    'Category 4': '',
    'Retail Price': '49.50',
    Material: 'Cotton',
    'Fabric Composition': '100% cotton',
  };
  return IMPORT_COLUMNS.map((column) => values[column]);
}

async function makeAndDownload(name: string, make: () => Promise<Blob>): Promise<void> {
  try {
    download(shopFile(name), await make());
  } catch (thrown) {
    printDetails(`${name} could not be made:`, thrown);
    notify('alert', 'We couldn’t create the file. Check your browser’s console for details.');
  }
}
