import { useId, useRef, useState } from 'react';
import type { CellProblem, RefusedRow, RefusedRows } from './mending.ts';
import styles from './mend-rows.module.css';
import type { ImportWorker } from './protocol.ts';

interface MendRowProps {
  readonly row: RefusedRow;
  readonly columns: RefusedRows['columns'];
  readonly worker: Pick<ImportWorker, 'judge'>;
  /** Called when the user has changed a cell, before the worker judges the row. */
  readonly onEdited: (line: number) => void;
  /** Called with the row's cells when they are right, and with null when they are not. */
  readonly onJudged: (line: number, cells: readonly string[] | null) => void;
}

export function MendRow({ row, columns, worker, onEdited, onJudged }: MendRowProps) {
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
