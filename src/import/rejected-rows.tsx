import { useState } from 'react';
import { formatCount } from '../domain/count.ts';
import { MendRows } from './mend-rows.tsx';
import { MAX_MENDABLE_ROWS } from './mending.ts';
import { saveReport } from './mutations.ts';
import type { ImportRun } from './import-run.ts';
import { TransientButton } from './start-focus.tsx';

interface RejectedRowsPanelProps {
  readonly run: ImportRun;
  readonly rejected: number;
  /** What the button does with the mended rows. */
  readonly verb: string;
}

/** The report of a check or an import, and the rejected rows to mend on the page. */
export function RejectedRowsPanel({ run, rejected, verb }: RejectedRowsPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const which =
    rejected > MAX_MENDABLE_ROWS
      ? `the first ${formatCount(MAX_MENDABLE_ROWS)} rows`
      : rejected === 1
        ? 'this row'
        : 'these rows';
  return (
    <>
      <div className="choice">
        {rejected > 0 && (
          <TransientButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {`Fix ${which}`}
          </TransientButton>
        )}
        <button type="button" className="quiet" onClick={() => void saveReport(run)}>
          Download the report
        </button>
      </div>
      {isOpen && <MendRows worker={run.worker} verb={verb} onMended={run.mend} />}
    </>
  );
}
