import {
  IMPORT_COLUMNS,
  type ImportColumn,
  MAX_COLUMNS,
  MAX_FILE_BYTES,
  MAX_ROWS,
  TEXT_LIMITS,
} from '../csv/columns.ts';
import { formatCount } from '../domain/count.ts';
import type { ImportRun } from './import-run.ts';
import { saveExport, saveTemplate } from './mutations.ts';
import styles from './rules.module.css';

/** The rules for a file, and files to begin from: the template and the export. */
export function ImportRules({ run }: { readonly run: ImportRun }) {
  return (
    <section className={styles['rules']} aria-label="Files">
      <details>
        <summary>What your file can contain</summary>
        <p>{FILE_RULE}</p>
        <p>Stock code and size together identify each product.</p>
        <dl>
          {IMPORT_COLUMNS.map((column) => (
            <div key={column}>
              <dt>{column}</dt>
              <dd>{CELL_RULES[column]}</dd>
            </div>
          ))}
        </dl>
      </details>
      <div className="choice">
        <button type="button" className="quiet" onClick={saveTemplate}>
          Download a template
        </button>
        <button type="button" className="quiet" onClick={() => void saveExport(run)}>
          Export the catalogue
        </button>
      </div>
    </section>
  );
}

const FILE_RULE =
  `A CSV file of up to ${formatCount(MAX_FILE_BYTES / 1024 / 1024)} MB, ${formatCount(MAX_ROWS)} rows and ` +
  `${MAX_COLUMNS} columns. Columns can be in any order. We ignore unknown ` +
  'columns. Columns you leave out stay unchanged.';

const CATEGORY_RULE = `Text of up to ${TEXT_LIMITS['Category 1']} characters.`;

const CELL_RULES: Readonly<Record<ImportColumn, string>> = {
  SKC: `The stock code, required in every row. 1 to ${TEXT_LIMITS.SKC} characters. Leading zeros stay, as in 000123.`,
  Size: `Up to ${TEXT_LIMITS.Size} characters. Leave blank for a product without sizes.`,
  'Images link': `An address that begins with http:// or https://, or /pictures/shirt.jpg for a file in the shop’s public/pictures folder; up to ${formatCount(TEXT_LIMITS['Images link'])} characters. If there are several, we use the first.`,
  'Category 1': `${CATEGORY_RULE} It’s the product card’s title.`,
  'Category 2': CATEGORY_RULE,
  'Category 3': CATEGORY_RULE,
  'Category 4': CATEGORY_RULE,
  'Retail Price':
    '0 or more, with up to two decimals. Currency signs and thousands separators are fine. nan, n/a, - and blank mean no price.',
  Material: `Text of up to ${TEXT_LIMITS.Material} characters.`,
  'Fabric Composition': `Text of up to ${TEXT_LIMITS['Fabric Composition']} characters.`,
};
