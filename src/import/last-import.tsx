import { useId, useState } from 'react';
import type { LastImport as Last } from '../remote/imports.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import controls from './controls.module.css';
import { leavesFocusToStart } from './focus-heir.ts';
import type { Undo } from './history.ts';
import styles from './last-import.module.css';
import { type Importing, useHistory } from './queries.ts';
import { countOf, numberOf, timeOf } from './words.ts';

interface LastImportProps {
  readonly importing: Importing;
  readonly isDisabled: boolean;
}

/** Shows the last import, and lets the user undo it. */
export function LastImport({ importing, isDisabled }: LastImportProps) {
  const id = useId();
  const { session, history } = importing;
  const { rights, undo } = useHistory(importing);
  const [isAsking, setAsking] = useState(false);
  const last = rights?.last ?? null;
  const words = undoWords(undo);
  const isRunning = undo.kind === 'running';
  return (
    <section className={styles['last']} aria-labelledby={id}>
      <h2 id={id}>Last import</h2>
      {last ? (
        <Facts last={last} />
      ) : (
        <p>{rights ? 'Nothing has been imported yet.' : NOT_KNOWN}</p>
      )}
      {last?.canUndo && (
        <button
          ref={leavesFocusToStart}
          type="button"
          className="quiet"
          aria-disabled={isDisabled || isRunning}
          onClick={() => isDisabled || isRunning || setAsking(true)}
        >
          {isRunning ? 'Undoing...' : UNDO_LABELS[last.state]}
        </button>
      )}
      {undo.kind === 'running' && (
        <progress
          className={controls['thread']}
          aria-label="Undoing the import"
          {...(undo.left === null ? {} : { value: undo.done, max: undo.done + undo.left })}
        />
      )}
      <div role="status" className={styles['words']}>
        {undo.kind !== 'failed' && words}
      </div>
      <div role="alert" className={styles['words']}>
        {undo.kind === 'failed' && words}
      </div>
      {last && (
        <ConfirmDialog
          isOpen={isAsking}
          heading="Undo this import?"
          no="Keep it"
          yes="Undo the import"
          onAnswer={(isYes) => {
            setAsking(false);
            if (!isYes) return;
            session.dismiss();
            void history.undo(last.importId);
          }}
        >
          The {countOf(last.inserted, 'product')} it added are removed, and the{' '}
          {countOf(last.updated, 'product')} it changed get their former values back. Products that
          were changed since stay as they are.
        </ConfirmDialog>
      )}
    </section>
  );
}

const NOTES = {
  running: ' (not finished)',
  finished: '',
  undoing: ' (partly undone)',
  undone: ' (undone)',
};
const UNDO_LABELS = { running: 'Undo', finished: 'Undo', undoing: 'Go on undoing', undone: 'Undo' };
const NOT_KNOWN = 'It is shown when the shop has been reached.';

function Facts({ last }: { readonly last: Last }) {
  const { fileName, startedAt, finishedAt, isMine, inserted, updated, unchanged, rejected } = last;
  return (
    <>
      <p>
        {fileName !== null && <span className={controls['name']}>{fileName}</span>} by{' '}
        {isMine ? 'you' : 'somebody else'},{' '}
        <time dateTime={new Date(finishedAt ?? startedAt).toISOString()}>
          {timeOf(finishedAt ?? startedAt)}
        </time>
        {NOTES[last.state]}
      </p>
      <p className={styles['counts']}>
        {numberOf(inserted)} new, {numberOf(updated)} changed, {numberOf(unchanged)} unchanged
        {rejected > 0 && `, ${numberOf(rejected)} refused`}
      </p>
    </>
  );
}

function undoWords(undo: Undo): string | null {
  switch (undo.kind) {
    case 'idle':
      return null;
    case 'running':
      return undo.left === null ? null : `${countOf(undo.left, 'product')} to go.`;
    case 'failed':
      return undo.isInConsole
        ? `${undo.message} Check the console of the browser for details.`
        : undo.message;
    case 'done': {
      const { removed, restored, kept } = undo.step;
      const rest = kept === 0 ? '' : ` ${countOf(kept, 'product')} changed since and kept.`;
      return `Undone: ${countOf(removed, 'product')} removed, ${countOf(restored, 'product')} restored.${rest}`;
    }
  }
}
