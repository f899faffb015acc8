import { IMPORT_COLUMNS } from '../csv/columns.ts';
import styles from './preview.module.css';
import type { FileCheck } from './protocol.ts';

/** The element can be wider than the page, and a keyboard scrolls it only while it has the focus. */
const IN_TAB_ORDER = 0;

/** The first products as the import will store them, under the shop's column names. */
export function Preview({ check: { columns, preview } }: { readonly check: FileCheck }) {
  if (preview.length === 0) return null;
  const shownColumns = IMPORT_COLUMNS.map((column, position) => ({
    column,
    position,
    header: columns.find((inFile) => inFile.column === column)?.header ?? null,
  })).filter(({ header }) => header !== null);
  const rows = preview.map((row, index) => ({ row, index }));
  return (
    <>
      <h3 id="preview-heading">The first products as they will be stored</h3>
      <div
        className={styles['scroller']}
        role="region"
        aria-labelledby="preview-heading"
        tabIndex={IN_TAB_ORDER}
      >
        <table className={styles['preview']}>
          <thead>
            <tr>
              {shownColumns.map(({ column, header }) => (
                <th key={column} scope="col">
                  <span>{column}</span>
                  {header !== column && (
                    <span className={styles['from']}>{`from “${header}”`}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, index }) => (
              <tr key={index}>
                {shownColumns.map(({ column, position }) => (
                  <td key={column} dir="auto">
                    {row[position]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
