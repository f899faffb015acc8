import { useId, useState } from 'react';
import { IMPORT_COLUMNS, type ImportColumn } from '../csv/columns.ts';
import type { ColumnQuestion, FileColumn, FileTable } from '../csv/file-table.ts';
import styles from './columns-panel.module.css';
import type { Choice } from './protocol.ts';
import type { ImportSession } from './session.ts';
import { type SessionState, tableOf } from './session-state.ts';
import { countOf, numberOf } from './words.ts';

interface ColumnsPanelProps {
  readonly session: ImportSession;
  readonly state: SessionState;
  readonly isDisabled: boolean;
}

/** Shows the columns of the file, and lets the user say which field of ours each holds. */
export function ColumnsPanel({ session, state, isDisabled }: ColumnsPanelProps) {
  const id = useId();
  const table = tableOf(state.check);
  const isAsking = table !== null && table.questions.length > 0;
  // What a question has opened stays open: the user is still at work in it.
  const [isOpen, setOpen] = useState(isAsking);
  if (isAsking && !isOpen) setOpen(true);
  if (!table) return null;
  const used = new Set(Object.values(table.match));
  const left = table.columns.filter(({ index }) => !used.has(index));
  const read = table.columns.length - left.length;
  return (
    <details
      className={styles['panel']}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        Columns
        <span className={styles['sum']}>
          {' '}
          {numberOf(read)} read, {numberOf(left.length)} left out
        </span>
      </summary>
      <ul className={styles['fields']}>
        {IMPORT_COLUMNS.map((field) => (
          <Field
            key={field}
            field={field}
            table={table}
            isDisabled={isDisabled}
            onChoose={(index) => session.readAs(withColumn(table, field, index))}
          />
        ))}
      </ul>
      {left.length > 0 && <LeftOut columns={left} />}
      <label className={styles['choose']} htmlFor={id}>
        Row with the headings
      </label>
      <select
        id={id}
        className={styles['select']}
        value={table.headerLine}
        disabled={isDisabled}
        onChange={({ currentTarget }) =>
          session.readAs({
            headerLine: Number(currentTarget.value),
            delimiter: table.delimiter,
            columns: null,
          })
        }
      >
        {table.rows.map(({ line, text }) => (
          <option key={line} value={line}>
            Line {line}: {text}
          </option>
        ))}
      </select>
    </details>
  );
}

/** The whole match as it is shown, with one answer more; a column holds one field. */
function withColumn(table: FileTable, field: ImportColumn, index: number | null): Partial<Choice> {
  const others = IMPORT_COLUMNS.flatMap((column) => {
    const own = table.match[column];
    if (own === undefined || column === field) return [];
    return [[column, own === index ? null : own] as const];
  });
  const { headerLine, delimiter } = table;
  return { columns: { ...Object.fromEntries(others), [field]: index }, headerLine, delimiter };
}

interface FieldProps {
  readonly field: ImportColumn;
  readonly table: FileTable;
  readonly isDisabled: boolean;
  readonly onChoose: (index: number | null) => void;
}

function Field({ field, table, isDisabled, onChoose }: FieldProps) {
  const id = useId();
  const { columns, match, questions } = table;
  const index = match[field] ?? null;
  const question = questions.find(({ column }) => column === field);
  const samples = columns.find((column) => column.index === index)?.samples ?? [];
  const candidates = columns.filter((column) => question?.candidates.includes(column.index));
  const others = columns.filter((column) => !candidates.includes(column));
  return (
    <li data-asking={question !== undefined}>
      <label className={styles['choose']} htmlFor={id}>
        {field}
      </label>
      <select
        id={id}
        className={styles['select']}
        value={question ? '' : (index ?? NONE)}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value } }) => onChoose(value === NONE ? null : Number(value))}
      >
        {question && (
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
        {question ? questionWords(question) : samples.join(' · ')}
      </p>
    </li>
  );
}

const NONE = 'none';

function questionWords({ column, candidates }: ColumnQuestion): string {
  if (candidates.length > 1) return 'Several columns could be it.';
  return column === 'SKC' ? 'The code that names a product.' : '';
}

function Column({ column: { index, header, samples } }: { readonly column: FileColumn }) {
  return (
    <option value={index}>
      {header || `Column ${index + 1}`}
      {samples[0] !== undefined && ` (${samples[0]})`}
    </option>
  );
}

/** Folded, because an export of a shop may have sixty. */
function LeftOut({ columns }: { readonly columns: readonly FileColumn[] }) {
  return (
    <details className={styles['left']}>
      <summary>Left out: {countOf(columns.length, 'column')}</summary>
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
