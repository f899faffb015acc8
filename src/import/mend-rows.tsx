import { Suspense, use, useRef, useState } from 'react';
import { announce } from '../ui/notices.ts';
import { MendRow } from './mend-row.tsx';
import type { MendedRows, RefusedRow, RefusedRows } from './mending.ts';
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
