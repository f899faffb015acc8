import { csvLine } from '../csv/write.ts';
import { type ImportColumn, IMPORT_COLUMNS } from '../csv/columns.ts';

/** A template file: the headings and two example rows. */
export function templateCsv(): string {
  return `\ufeff${[IMPORT_COLUMNS, example('M'), example('L')].map((cells) => csvLine(cells)).join('')}`;
}

function example(size: string): readonly string[] {
  const values: Readonly<Record<ImportColumn, string>> = {
    SKC: 'EXAMPLE-001',
    Size: size,
    'Images link': 'https://pictures.example/shirt-front.jpg',
    'Category 1': 'Shirts',
    'Category 2': 'Men',
    'Category 3': 'Oxford',
    'Category 4': '',
    'Retail Price': '49.50',
    Material: 'Cotton',
    'Fabric Composition': '100% cotton',
  };
  return IMPORT_COLUMNS.map((column) => values[column]);
}
