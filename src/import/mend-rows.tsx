import { Suspense, use, useId, useRef, useState } from 'react';
import { countOf } from '../domain/count.ts';
import { announce } from '../ui/notices.ts';
import type { CellProblem, MendedRows, RejectedRow, RejectedRows } from './mending.ts';
import styles from './mend-rows.module.css';
import type { ImportWorker } from './protocol.ts';
import { TransientButton } from './start-focus.tsx';

interface MendRowsProps {
  readonly worker: ImportWorker;
  readonly verb: string;
  readonly onMended: (mended: MendedRows) => void;
}

/** The rejected rows as a table, whose cells the user changes. The worker judges a row at each change. */
export function MendRows(props: MendRowsProps) {
  const [rejected] = useState(() => props.worker.rejectedRows().catch(() => null));
  return (
    <Suspense fallback={<p>Reading…</p>}>
      <Table {...props} rejected={rejected} />
    </Suspense>
  );
}

/** How many rows show at first, and how many more at each press: a thousand rows of fields make a slow page. */
const ROWS_AT_ONCE = 20;

interface TableProps extends MendRowsProps {
  readonly rejected: Promise<RejectedRows | null>;
}

function Table({ worker, verb, onMended, rejected: promise }: TableProps) {
  const rejected = use(promise);
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  const [mended, setMended] = useState<MendedRows['cellsByLine']>(new Map());
  if (!rejected) return <p role="alert">We can’t read this file anymore. Choose it again.</p>;
  const { reading, rows } = rejected;
  const columns = columnsToMend(rejected);

  function onChange(line: number, cells: readonly string[] | null): void {
    setMended((before) => {
      const others = new Map(before);
      others.delete(line);
      return cells ? others.set(line, cells) : others;
    });
  }

  return (
    <div className={styles['mend']}>
      <div className={styles['scroller']}>
        <table className={styles['table']} aria-label="Rejected rows">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">What’s wrong</th>
              {columns.map(({ position, header }) => (
                <th key={position} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <MendRow
                key={row.line}
                row={row}
                columns={columns}
                worker={worker}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className="choice">
        {shown < rows.length && (
          <TransientButton onClick={() => setShown(shown + ROWS_AT_ONCE)}>
            {`Show more (${countOf(rows.length, 'row')} in all)`}
          </TransientButton>
        )}
        {mended.size === 0 ? (
          <p>Fix the marked cells. Each row says “Fixed.” once it’s right.</p>
        ) : (
          <TransientButton
            className="button"
            onClick={() => onMended({ reading, cellsByLine: mended })}
          >
            {`${verb} ${countOf(mended.size, 'fixed row')}`}
          </TransientButton>
        )}
      </div>
    </div>
  );
}

/**
 * The columns of stock code and size, and those with a problem. All columns if a whole row has a problem,
 * because its cells have then moved to the right.
 */
function columnsToMend({ columns, rows }: RejectedRows): RejectedRows['columns'] {
  const isWrong = (position: number | null) =>
    rows.some((row: RejectedRow) => row.problems.some((problem) => problem.position === position));
  if (isWrong(null)) return columns;
  return columns.filter(
    ({ column, position }) => column === 'SKC' || column === 'Size' || isWrong(position),
  );
}

interface MendRowProps {
  readonly row: RejectedRow;
  readonly columns: RejectedRows['columns'];
  readonly worker: Pick<ImportWorker, 'judge'>;
  /** Called with null when the user has changed a cell, and with the row's cells when the worker finds them right. */
  readonly onChange: (line: number, cells: readonly string[] | null) => void;
}

function MendRow({ row, columns, worker, onChange }: MendRowProps) {
  const { line } = row;
  const id = useId();
  const [cells, setCells] = useState(row.cells);
  const [spilled, setSpilled] = useState(row.spilled);
  const [problems, setProblems] = useState<readonly CellProblem[]>(row.problems);
  /** The cells about which `problems` speaks. */
  const [judged, setJudged] = useState(row.cells);
  const latestCells = useRef(row.cells);

  async function change(next: readonly string[], nextSpilled: readonly string[]): Promise<void> {
    latestCells.current = next;
    setCells(next);
    setSpilled(nextSpilled);
    onChange(line, null);
    const nextProblems = await worker.judge([...next, ...nextSpilled]).catch(() => null);
    // Another letter has been typed meanwhile, or the file is gone.
    if (latestCells.current !== next || nextProblems === null) return;
    setProblems(nextProblems);
    setJudged(next);
    if (nextProblems.length > 0) return;
    if (problems.length > 0) announce(`Line ${line} is fixed.`);
    onChange(line, next);
  }

  const isMended = problems.length === 0 && judged === cells;
  return (
    <tr data-mended={isMended}>
      <th scope="row">
        <span className={styles['label']}>Line </span>
        <span>{line}</span>
      </th>
      <td id={id}>
        {isMended && <p>Fixed.</p>}
        {problems.map(({ position, reason, advice }) => (
          <p key={position}>{`${reason} ${advice}`}</p>
        ))}
        {spilled.length > 0 && (
          // A copy, so that `change` ignores an answer to an earlier call with the same cells.
          <button type="button" className="quiet" onClick={() => void change([...cells], [])}>
            {`Leave out “${spilled.join('”, “')}”`}
          </button>
        )}
      </td>
      {columns.map(({ position, header }) => (
        <td key={position}>
          <span className={styles['label']} aria-hidden>
            {header}
          </span>
          <input
            value={cells[position]}
            aria-label={`${header}, line ${line}`}
            aria-invalid={problems.some((problem) => problem.position === position)}
            aria-describedby={id}
            onChange={({ currentTarget }) =>
              void change(cells.with(position, currentTarget.value), spilled)
            }
          />
        </td>
      ))}
    </tr>
  );
}
