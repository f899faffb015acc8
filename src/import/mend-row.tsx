import { useId, useRef, useState } from 'react';
import type { CellProblem, RefusedRow, RefusedRows } from './mending.ts';
import styles from './mend-rows.module.css';
import type { ImportWorker } from './protocol.ts';

interface MendRowProps {
  readonly row: RefusedRow;
  readonly columns: RefusedRows['columns'];
  readonly worker: Pick<ImportWorker, 'judge'>;
  /** Called with the row's cells when they are right, and with null while they are not. */
  readonly onJudged: (line: number, cells: readonly string[] | null) => void;
}

export function MendRow({ row, columns, worker, onJudged }: MendRowProps) {
  const { line, spilled } = row;
  const id = useId();
  const [cells, setCells] = useState(row.cells);
  const [isCut, setCut] = useState(spilled.length === 0);
  const [problems, setProblems] = useState<readonly CellProblem[]>(row.problems);
  const latest = useRef(row.cells);

  async function change(next: readonly string[], isCutNext: boolean): Promise<void> {
    latest.current = next;
    setCells(next);
    setCut(isCutNext);
    const found = await worker.judge(isCutNext ? next : [...next, ...spilled]).catch(() => null);
    // Another letter has been typed meanwhile, or the file is gone.
    if (latest.current !== next || found === null) return;
    setProblems(found);
    onJudged(line, found.length === 0 ? next : null);
  }

  return (
    <tr data-right={problems.length === 0}>
      <th scope="row">
        <span className={styles['label']}>Line </span>
        {line}
      </th>
      {columns.map(({ position, header }) => (
        <td key={position}>
          <label>
            <span className={styles['label']}>{header}</span>
            <input
              value={cells[position] ?? ''}
              autoComplete="off"
              spellCheck={false}
              aria-label={`${header}, line ${line}`}
              aria-invalid={problems.some((problem) => problem.position === position)}
              aria-describedby={id}
              onChange={({ currentTarget: { value } }) => {
                const next = Array.from({ length: Math.max(cells.length, position + 1) }, (_, i) =>
                  i === position ? value : (cells[i] ?? ''),
                );
                void change(next, isCut);
              }}
            />
          </label>
        </td>
      ))}
      <td id={id} className={styles['words']}>
        {problems.length === 0 && 'Right now.'}
        {problems.map(({ position, reason, advice }) => (
          <p key={position}>
            {reason} {advice}
          </p>
        ))}
        {!isCut && (
          <button type="button" className="quiet" onClick={() => void change([...cells], true)}>
            Leave out “{spilled.join('”, “')}”
          </button>
        )}
      </td>
    </tr>
  );
}
