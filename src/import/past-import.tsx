import type { PastImport } from '../remote/imports.ts';
import controls from './controls.module.css';
import { TransientButton } from './start-focus.tsx';
import styles from './last-import.module.css';
import { countOf, rowCountsWords, timeOf } from './words.ts';

interface PastImportItemProps {
  readonly past: PastImport;
  readonly isBeingUndone: boolean;
  readonly isDisabled: boolean;
  readonly onUndo: () => void;
}

/** One import: its facts, and a button to undo it or the reason why there is none. */
export function PastImportItem({ past, isBeingUndone, isDisabled, onUndo }: PastImportItemProps) {
  const { fileName, startedAt, finishedAt, isMine, state, undo, offSale } = past;
  const shownAt = finishedAt ?? startedAt;
  return (
    <div className={styles['past']}>
      <p>
        {fileName !== null && <bdi className={controls['name']}>{fileName}</bdi>}
        <span>{` by ${isMine ? 'you' : 'somebody else'}, `}</span>
        <time dateTime={new Date(shownAt).toISOString()}>{timeOf(shownAt)}</time>
        <span>{STATE_NOTES[state]}</span>
      </p>
      <p className={styles['counts']}>
        <span>{rowCountsWords(past)}</span>
        {offSale > 0 && <span>{` ${countOf(offSale, 'product')} went off sale.`}</span>}
      </p>
      {undo === 'now' && (
        <TransientButton aria-disabled={isDisabled} onClick={() => isDisabled || onUndo()}>
          {isBeingUndone ? 'Undoing...' : UNDO_LABELS[state]}
        </TransientButton>
      )}
      {undo === 'foreign' && <p>Only the user who made it can undo it.</p>}
    </div>
  );
}

const STATE_NOTES = {
  running: ' (not finished)',
  finished: '',
  undoing: ' (partly undone)',
  undone: ' (undone)',
};
const UNDO_LABELS = { running: 'Undo', finished: 'Undo', undoing: 'Go on undoing', undone: 'Undo' };
