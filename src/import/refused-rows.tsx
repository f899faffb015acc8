import { lazy, Suspense, useState } from 'react';
import { type MendedRows, MOST_MENDABLE } from './mending.ts';
import { saveReport } from './mutations.ts';
import type { ImportSession } from './session.ts';
import { passFocusToStart } from './start-focus.ts';
import { numberOf } from './words.ts';

const MendRows = lazy(async () => ({ default: (await import('./mend-rows.tsx')).MendRows }));

interface RefusedRowsProps {
  readonly session: ImportSession;
  readonly rejected: number;
  readonly verb: string;
  readonly onMended: (mended: MendedRows) => void;
}

/** The report of a check or an import, and the refused rows to mend on the page. */
export function RefusedRows({ session, rejected, verb, onMended }: RefusedRowsProps) {
  const [isOpen, setOpen] = useState(false);
  const count = rejected > MOST_MENDABLE ? `the first ${numberOf(MOST_MENDABLE)} ` : 'the ';
  return (
    <>
      <div className="choice">
        {rejected > 0 && (
          <button
            ref={passFocusToStart}
            type="button"
            className="quiet"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Mend {count}refused rows here
          </button>
        )}
        <button type="button" className="quiet" onClick={() => void saveReport(session)}>
          Download the report
        </button>
      </div>
      {isOpen && (
        <Suspense>
          <MendRows worker={session.worker} verb={verb} onMended={onMended} />
        </Suspense>
      )}
    </>
  );
}
