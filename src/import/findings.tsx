import { memo } from 'react';
import { IMPORT_COLUMNS } from '../csv/columns.ts';
import { countOf, formatCount } from '../domain/count.ts';
import styles from './findings.module.css';
import type { FileCheck, ProblemCount } from './protocol.ts';
import { RejectedRowsPanel } from './rejected-rows.tsx';
import type { ImportRun } from './import-run.ts';

interface FindingsProps {
  readonly run: ImportRun;
  readonly check: FileCheck;
}

/** The rules by which the file was read, the problems of its rows, its rejected rows, and its first products. */
export const Findings = memo(function Findings({ run, check }: FindingsProps) {
  const { problems, rejected, rules } = check;
  return (
    <section className={styles['findings']} aria-label="Findings">
      {rules.length > 0 && <ReadingRules rules={rules} />}
      <Problems problems={problems} />
      {problems.length > 0 && <RejectedRowsPanel run={run} rejected={rejected} verb="Use" />}
      <Preview check={check} />
    </section>
  );
});

function ReadingRules({ rules }: Pick<FileCheck, 'rules'>) {
  return (
    <section className={styles['rules']} aria-label="How we read the rows">
      <h3>How we read the rows</h3>
      {rules.map(({ title, rows }) => (
        <p key={title}>
          <span>{title}</span> <span className={styles['rows']}>{countOf(rows, 'row')}</span>
        </p>
      ))}
    </section>
  );
}

/** The problems of the rows by reason; those that reject rows come first. */
function Problems({ problems }: { readonly problems: readonly ProblemCount[] }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>Problems</h3>
      <ul className={styles['problems']}>
        {problems.map((problem) => (
          <Problem key={problem.reason + problem.first.header} problem={problem} />
        ))}
      </ul>
    </>
  );
}

const FATES = {
  rejected: 'rejected',
  replaced: 'replaced',
  warned: 'accepted with a warning',
} as const;

function Problem({ problem }: { readonly problem: ProblemCount }) {
  const { reason, advice, fate, count, first } = problem;
  return (
    <li data-rejects={fate === 'rejected'}>
      <p className={styles['count']}>{`${countOf(count, 'row')} ${FATES[fate]}`}</p>
      <p className={styles['reason']}>{reason}</p>
      <p>{advice}</p>
      <p className={styles['first']}>
        <span>
          {`First: line ${formatCount(first.line)}${first.header === null ? '' : `, column “${first.header}”`}`}
        </span>
        {first.value !== '' && (
          <span>
            : <code dir="auto">{first.value}</code>
          </span>
        )}
      </p>
    </li>
  );
}

/** The element can be wider than the page, and a keyboard scrolls it only while it has the focus. */
const IN_TAB_ORDER = 0;

/** The first products as the import will store them, under the shop's column names. */
function Preview({ check: { columns, preview } }: { readonly check: FileCheck }) {
  if (preview.length === 0) return null;
  const shownColumns = IMPORT_COLUMNS.map((column, position) => ({
    column,
    position,
    header: columns.find((inFile) => inFile.column === column)?.header ?? null,
  })).filter(({ header }) => header !== null);
  const rows = preview.map((row, index) => ({ row, index }));
  return (
    <>
      <h3 id="preview-heading">The first products, as they’ll be saved</h3>
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
