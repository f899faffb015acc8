import { useId, useRef, useState } from 'react';
import { IMPORT_COLUMNS, type ImportColumn } from '../csv/columns.ts';
import type { FileColumn, FileTable } from '../csv/file-table.ts';
import { type Match, NO_HEADINGS } from '../csv/remembered.ts';
import { countOf, formatCount } from '../domain/count.ts';
import styles from './columns-panel.module.css';
import controls from './controls.module.css';
import type { ReadingPanelProps } from './import-run.ts';
import { shownMatch, tableOf } from './run-state.ts';

/** Shows the columns of the file, and lets the user say for each of our fields which column holds it. */
export function ColumnsPanel({ run, state, isDisabled }: ReadingPanelProps) {
  const id = useId();
  const table = tableOf(state.finding);
  const isAsking = table !== null && table.questions.length > 0;
  // A question opens the panel, which stays open after the answer: the user is still at work in it.
  const [isOpen, setOpen] = useState(isAsking);
  if (isAsking && !isOpen) setOpen(true);
  // A choice of columns, or “Match again”, opens the panel once; the user may close it again.
  const { choice } = state;
  const [openedFor, setOpenedFor] = useState(choice.columns);
  if (choice.columns !== openedFor) {
    setOpenedFor(choice.columns);
    if (choice.columns) setOpen(true);
  }
  /**
   * The match from before the user began to choose a column for `field`. In a select, each press of an arrow
   * key is a choice, which takes the column from the field that had it. Beginning each time from the earlier
   * match gives that field its column back.
   */
  const matchBefore = useRef<{ readonly field: ImportColumn; readonly match: Match } | null>(null);
  if (!table) return null;
  const { headerLine, delimiter } = table;
  const match = shownMatch(table, choice);
  const used = new Set(Object.values(match));
  const { finding } = state;
  const readColumns = finding.kind === 'checked' ? finding.check.columns : [];
  const unread = table.columns.filter(({ index }) => !used.has(index));
  const readCount = table.columns.length - unread.length;
  return (
    <details
      className={`${controls['panel']} ${controls['fold']}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        Columns
        <span className={controls['sum']}>
          {` ${formatCount(readCount)} read, ${formatCount(unread.length)} left out`}
        </span>
      </summary>
      <ul className={styles['fields']}>
        {IMPORT_COLUMNS.map((field) => (
          <Field
            key={field}
            field={field}
            table={table}
            match={match}
            isRead={readColumns.some(({ column }) => column === field)}
            isDisabled={isDisabled}
            onChoose={(index) => {
              if (matchBefore.current?.field !== field) matchBefore.current = { field, match };
              const columns = withColumn(matchBefore.current.match, field, index);
              run.readAs({ columns, headerLine, delimiter });
            }}
          />
        ))}
      </ul>
      {unread.length > 0 && <UnreadColumns columns={unread} />}
      <label className={styles['choose']} htmlFor={id}>
        Heading row
      </label>
      <select
        id={id}
        className={`${controls['select']} ${styles['headings']}`}
        value={choice.headerLine ?? headerLine}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          matchBefore.current = null;
          run.readAs({
            headerLine: Number(currentTarget.value),
            delimiter,
            columns: null,
          });
        }}
      >
        <option value={NO_HEADINGS}>There are no headings: the first row is a product</option>
        {table.rows.map(({ line, text }) => (
          <option key={line} value={line}>
            {`Line ${line}: ${text}`}
          </option>
        ))}
      </select>
    </details>
  );
}

/** The match with `field` in the column `index`, or in none; a field that had this column now has none. */
function withColumn(match: Match, field: ImportColumn, index: number | null): Match {
  const others = IMPORT_COLUMNS.flatMap((column) => {
    const current = match[column];
    return current === undefined ? [] : [[column, current === index ? null : current] as const];
  });
  return { ...Object.fromEntries(others), [field]: index };
}

interface FieldProps {
  readonly field: ImportColumn;
  readonly table: FileTable;
  readonly match: Match;
  /** Whether the last check has read the field, from a column or by a rule. */
  readonly isRead: boolean;
  readonly isDisabled: boolean;
  readonly onChoose: (index: number | null) => void;
}

function Field({ field, table, match, isRead, isDisabled, onChoose }: FieldProps) {
  const id = useId();
  const { columns, questions } = table;
  const index = match[field] ?? null;
  // Undefined means not decided yet. A file must have the SKC.
  const isAsking = match[field] === undefined || (field === 'SKC' && index === null);
  const question = isAsking ? questions.find(({ column }) => column === field) : undefined;
  const samples = columns.find((column) => column.index === index)?.samples ?? [];
  const reading = index === null && isRead ? 'Handled by a rule below.' : samples.join(' · ');
  const candidates = columns.filter((column) => question?.candidates.includes(column.index));
  const others = columns.filter((column) => !candidates.includes(column));
  return (
    <li data-asking={isAsking}>
      <label className={styles['choose']} htmlFor={id}>
        {field}
      </label>
      <select
        id={id}
        className={controls['select']}
        value={isAsking ? '' : (index ?? NONE)}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value } }) => onChoose(value === NONE ? null : Number(value))}
      >
        {isAsking && (
          <option value="" disabled>
            Choose…
          </option>
        )}
        {field !== 'SKC' && <option value={NONE}>Not in this file</option>}
        {candidates.length > 0 && (
          <optgroup label="Likely">
            {candidates.map((column) => (
              <Column key={column.index} column={column} />
            ))}
          </optgroup>
        )}
        {others.map((column) => (
          <Column key={column.index} column={column} />
        ))}
      </select>
      <p id={`${id}-hint`} className={styles['samples']}>
        {isAsking ? hintFor(field, candidates.length) : reading}
      </p>
    </li>
  );
}

const NONE = 'none';

function hintFor(field: ImportColumn, candidates: number): string {
  if (candidates > 1) return 'Several columns could match.';
  return field === 'SKC' ? 'The product’s code: a SKU, stock code or item number.' : '';
}

function Column({ column: { index, header, samples } }: { readonly column: FileColumn }) {
  return (
    <option value={index}>
      {`${header || `Column ${index + 1}`}${samples[0] === undefined ? '' : ` (${samples[0]})`}`}
    </option>
  );
}

/** The columns that are not read; folded, because an export of a shop may have sixty. */
function UnreadColumns({ columns }: { readonly columns: readonly FileColumn[] }) {
  return (
    <details className={`${controls['fold']} ${styles['unread']}`}>
      <summary>{`Left out: ${countOf(columns.length, 'column')}`}</summary>
      <dl>
        {columns.map(({ index, header, samples }) => (
          <div key={index}>
            <dt>{header || `Column ${index + 1}`}</dt>
            <dd>{samples.join(' · ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
