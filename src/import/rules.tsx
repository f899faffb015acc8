import {
  IMPORT_COLUMNS,
  type ImportColumn,
  MAX_COLUMNS,
  MAX_FILE_BYTES,
  MAX_ROWS,
  TEXT_LIMITS,
} from '../csv/columns.ts';
import type { ImportRun } from './import-run.ts';
import { saveExport, saveTemplate } from './mutations.ts';
import styles from './rules.module.css';
import { numberOf } from './words.ts';

/** The rules for a file, and files to begin from: the template and the export. */
export function ImportRules({ run }: { readonly run: ImportRun }) {
  return (
    <section className={styles['rules']} aria-label="Files">
      <details>
        <summary>What the file may hold</summary>
        <p>{FILE_RULE}</p>
        <p>Stock code and size together say which product a row is about.</p>
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
  `A CSV file of up to ${numberOf(MAX_FILE_BYTES / 1024 / 1024)} MB, ${numberOf(MAX_ROWS)} rows and ` +
  `${MAX_COLUMNS} columns. Columns are known by their headings, in any order; other columns are ` +
  'ignored. A column that is absent leaves what is stored.';

const CATEGORY_RULE = `Text of up to ${TEXT_LIMITS['Category 1']} characters.`;

const CELL_RULES: Readonly<Record<ImportColumn, string>> = {
  SKC: `The stock code, needed in every row: 1 to ${TEXT_LIMITS.SKC} characters, kept as text, so 000123 stays.`,
  Size: `Up to ${TEXT_LIMITS.Size} characters; blank for a product without sizes.`,
  'Images link': `An address that begins with http:// or https://, or /pictures/shirt.jpg for a file in the shop’s own folder public/pictures; up to ${numberOf(TEXT_LIMITS['Images link'])} characters. Of several, the first is taken.`,
  'Category 1': `${CATEGORY_RULE} It is the title on the card.`,
  'Category 2': CATEGORY_RULE,
  'Category 3': CATEGORY_RULE,
  'Category 4': CATEGORY_RULE,
  'Retail Price':
    'A price of at least 0 with at most two decimals. Currency signs and group marks are fine; nan, n/a, - and blank mean no price.',
  Material: `Text of up to ${TEXT_LIMITS.Material} characters.`,
  'Fabric Composition': `Text of up to ${TEXT_LIMITS['Fabric Composition']} characters.`,
};
