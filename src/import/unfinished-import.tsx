import { useId } from 'react';
import controls from './controls.module.css';
import type { Desk } from './desk.ts';
import type { DeskState } from './desk-state.ts';
import { leavesFocusToStart } from './focus-heir.ts';
import styles from './unfinished-import.module.css';
import { countOf, numberOf, timeOf } from './words.ts';

interface UnfinishedImportProps {
  readonly desk: Desk;
  readonly state: DeskState;
}

/** An import that was left before its end, in this tab or another. */
export function UnfinishedImport({
  desk,
  state: { unfinished, isElsewhere },
}: UnfinishedImportProps) {
  const id = useId();
  if (isElsewhere) {
    return (
      <p className={styles['offer']} role="status">
        Another window of this browser is importing.
      </p>
    );
  }
  if (!unfinished) return null;
  const { fileName, startedAt, rowsSent, rowsTotal, hasFile } = unfinished;
  return (
    <section className={styles['offer']} aria-labelledby={id}>
      <h2 id={id}>An import is not finished</h2>
      <p>
        <span className={controls['name']}>{fileName}</span>, begun {timeOf(startedAt)}:{' '}
        {numberOf(rowsSent)} of {countOf(rowsTotal, 'row')} are stored.
        {!hasFile && ' Choose the file again to go on; this device does not keep it any more.'}
      </p>
      <div className="choice">
        {hasFile ? (
          <button
            ref={leavesFocusToStart}
            type="button"
            className="button"
            onClick={() => desk.resume(null)}
          >
            Resume
          </button>
        ) : (
          <>
            <input
              ref={leavesFocusToStart}
              id={`${id}-file`}
              className="visually-hidden"
              type="file"
              accept=".csv"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                currentTarget.value = '';
                if (file) desk.resume(file);
              }}
            />
            <label htmlFor={`${id}-file`} className={controls['pick']}>
              Choose the file and resume
            </label>
          </>
        )}
        <button
          ref={leavesFocusToStart}
          type="button"
          className="quiet"
          onClick={() => void desk.forget()}
        >
          Forget
        </button>
      </div>
    </section>
  );
}
