import { useEffect, useId, useState } from 'react';
import controls from './controls.module.css';
import type { PastImport } from '../remote/imports.ts';
import type { ImportSession } from './session.ts';
import { passFocusToStart, TransientButton } from './start-focus.tsx';
import { type TabImport, useHistory, useUnfinished } from './queries.ts';
import type { Unfinished } from './unfinished.ts';
import styles from './unfinished-import.module.css';
import { countOf, numberOf, timeOf } from './words.ts';

interface UnfinishedImportProps {
  readonly tabImport: TabImport;
  readonly isElsewhere: boolean;
}

/** Offers to resume an unfinished import, or says that another tab is importing. */
export function UnfinishedImport({ tabImport, isElsewhere }: UnfinishedImportProps) {
  if (isElsewhere) {
    return (
      <p className={styles['offer']} role="status">
        Another window of this browser is importing.
      </p>
    );
  }
  return <OfferIfIdle tabImport={tabImport} />;
}

/** Offers the unfinished import once it is known that no other tab is running it. */
function OfferIfIdle({ tabImport }: { readonly tabImport: TabImport }) {
  const { session } = tabImport;
  const { overview } = useHistory(tabImport);
  const unfinished = useUnfinished(session.uid);
  const importId = unfinished?.importId;
  const [idleId, setIdleId] = useState<string | null>(null);
  useEffect(() => {
    if (importId !== undefined) void session.refresh().then(() => setIdleId(importId));
  }, [session, importId]);
  if (!unfinished || unfinished.importId !== idleId) return null;
  const past =
    overview && [overview.last, ...overview.earlier].find((it) => it?.importId === importId);
  return <Offer session={session} unfinished={unfinished} past={past} />;
}

interface OfferProps {
  readonly session: ImportSession;
  readonly unfinished: Unfinished;
  /** What the server says of it, as far as it lists it. */
  readonly past: PastImport | null | undefined;
}

function Offer({ session, unfinished, past }: OfferProps) {
  const id = useId();
  const { fileName, startedAt, rowsTotal, hasFile } = unfinished;
  // The server may have stored a part whose answer was lost, so the server's count is shown, as under Last import.
  const rowsStored = past ? past.added + past.changed + past.unchanged : unfinished.rowsSent;
  // The server takes no more parts of such an import.
  const isUndone = past?.state.startsWith('undo');
  return (
    <section className={styles['offer']} aria-labelledby={id}>
      <h2 id={id}>An import is not finished</h2>
      <p>
        <bdi className={controls['name']}>{fileName}</bdi>
        <span>{`, begun ${timeOf(startedAt)}: `}</span>
        <span>
          {isUndone
            ? 'undone. Choose the file again to import it.'
            : `${numberOf(rowsStored)} of ${countOf(rowsTotal, 'row')} are stored.`}
        </span>
        {!isUndone && !hasFile && (
          <span> Choose the file again to go on; this device does not keep it any more.</span>
        )}
      </p>
      <div className="choice">
        {isUndone ? null : hasFile ? (
          <TransientButton className="button" onClick={() => session.resume(unfinished, null)}>
            Resume
          </TransientButton>
        ) : (
          <>
            <input
              ref={passFocusToStart}
              id={`${id}-file`}
              className="visually-hidden"
              type="file"
              accept=".csv"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                currentTarget.value = '';
                if (file) session.resume(unfinished, file);
              }}
            />
            <label htmlFor={`${id}-file`} className={controls['pick']}>
              Choose the file and resume
            </label>
          </>
        )}
        <TransientButton onClick={() => void session.forget(unfinished.importId)}>
          Forget
        </TransientButton>
      </div>
    </section>
  );
}
