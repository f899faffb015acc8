import { Suspense, use, useId, useRef, useState } from 'react';
import { announce } from '../ui/notices.ts';
import type { CellProblem, MendedRows, RefusedRow, RefusedRows } from './mending.ts';
import styles from './mend-rows.module.css';
import type { ImportWorker } from './protocol.ts';
import { TransientButton } from './start-focus.tsx';
import { countOf } from './words.ts';

interface MendRowsProps {
  readonly worker: ImportWorker;
  readonly verb: string;
  readonly onMended: (mended: MendedRows) => void;
}

/** The refused rows as a table, whose cells the user changes. The worker judges a row at each change. */
export function MendRows(props: MendRowsProps) {
  const [refused] = useState(() => props.worker.refusedRows().catch(() => null));
  return (
    <Suspense fallback={<p>Reading…</p>}>
      <Table {...props} refused={refused} />
    </Suspense>
  );
}

/** How many rows show at first, and how many more at each press: a thousand rows of fields make a slow page. */
const ROWS_AT_ONCE = 20;

interface TableProps extends MendRowsProps {
  readonly refused: Promise<RefusedRows | null>;
}

function Table({ worker, verb, onMended, refused: promise }: TableProps) {
  const refused = use(promise);
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  const [mended, setMended] = useState<MendedRows['cellsByLine']>(new Map());
  /** The lines whose rows were right when they were judged last. */
  const announced = useRef(new Set<number>());
  if (!refused) return <p role="alert">The file cannot be read any more. Choose it again.</p>;
  const { reading, rows } = refused;
  const columns = columnsToMend(refused);

  /** Takes a row out, so that a press does not send its earlier cells. */
  function onEdited(line: number): void {
    setMended((before) => new Map([...before].filter(([other]) => other !== line)));
  }

  function onJudged(line: number, cells: readonly string[] | null): void {
    if (!cells) {
      announced.current.delete(line);
      return;
    }
    setMended((before) => new Map(before).set(line, cells));
    if (!announced.current.has(line)) announce(`Line ${line} is mended.`);
    announced.current.add(line);
  }

  return (
    <div className={styles['mend']}>
      <table className={styles['table']} aria-label="Refused rows">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">What is wrong</th>
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
              onEdited={onEdited}
              onJudged={onJudged}
            />
          ))}
        </tbody>
      </table>
      <div className="choice">
        {shown < rows.length && (
          <TransientButton onClick={() => setShown(shown + ROWS_AT_ONCE)}>
            {`Show more of ${countOf(rows.length, 'row')}`}
          </TransientButton>
        )}
        <TransientButton
          className="button"
          aria-disabled={mended.size === 0}
          onClick={() => mended.size > 0 && onMended({ reading, cellsByLine: mended })}
        >
          {`${verb} ${countOf(mended.size, 'mended row')}`}
        </TransientButton>
      </div>
    </div>
  );
}

/**
 * The columns of stock code and size, and those with a problem. All columns if a whole row has a problem,
 * because its cells have then moved to the right.
 */
function columnsToMend({ columns, rows }: RefusedRows): RefusedRows['columns'] {
  const isWrong = (position: number | null) =>
    rows.some((row: RefusedRow) => row.problems.some((problem) => problem.position === position));
  if (isWrong(null)) return columns;
  return columns.filter(
    ({ column, position }) => column === 'SKC' || column === 'Size' || isWrong(position),
  );
}

interface MendRowProps {
  readonly row: RefusedRow;
  readonly columns: RefusedRows['columns'];
  readonly worker: Pick<ImportWorker, 'judge'>;
  /** Called when the user has changed a cell, before the worker judges the row. */
  readonly onEdited: (line: number) => void;
  /** Called with the row's cells when they are right, and with null when they are not. */
  readonly onJudged: (line: number, cells: readonly string[] | null) => void;
}

function MendRow({ row, columns, worker, onEdited, onJudged }: MendRowProps) {
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
    onEdited(line);
    const nextProblems = await worker.judge([...next, ...nextSpilled]).catch(() => null);
    // Another letter has been typed meanwhile, or the file is gone.
    if (latestCells.current !== next || nextProblems === null) return;
    setProblems(nextProblems);
    setJudged(next);
    onJudged(line, nextProblems.length === 0 ? next : null);
  }

  const isMended = problems.length === 0 && judged === cells;
  return (
    <tr data-mended={isMended}>
      <th scope="row">
        <span className={styles['label']}>Line </span>
        <span>{line}</span>
      </th>
      <td id={id}>
        {isMended && <p>Mended.</p>}
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
