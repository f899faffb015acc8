import { csvLine } from '../csv/write.ts';
import { IMPORT_COLUMNS } from '../csv/columns.ts';

/** A template file: the headings and two example rows. */
export function templateCsv(): string {
  return `\ufeff${[IMPORT_COLUMNS, ...EXAMPLES].map(csvLine).join('')}`;
}

const EXAMPLES = [
  [
    'EXAMPLE-001',
    'M',
    'https://pictures.example/shirt-front.jpg',
    'Shirts',
    'Men',
    'Oxford',
    '',
    '49.50',
    'Cotton',
    '100% cotton',
  ],
  [
    'EXAMPLE-001',
    'L',
    'https://pictures.example/shirt-front.jpg',
    'Shirts',
    'Men',
    'Oxford',
    '',
    '49.50',
    'Cotton',
    '100% cotton',
  ],
] as const;
