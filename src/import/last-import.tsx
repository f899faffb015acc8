import { type ReactNode, useId, useState } from 'react';
import { countOf, formatCount } from '../domain/count.ts';
import type { MayUndo, PastImport } from '../remote/imports.ts';
import { SHORT_TIME } from '../ui/dates.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import controls from './controls.module.css';
import type { Undo } from './history.ts';
import styles from './last-import.module.css';
import { TransientButton } from './start-focus.tsx';
import { type TabImport, useHistory } from './queries.ts';
import { hiddenWords, rowCountsWords } from './words.ts';

interface LastImportProps {
  readonly tabImport: TabImport;
  readonly isDisabled: boolean;
}

/** Shows the last imports, and lets the user undo the last. */
export function LastImport({ tabImport, isDisabled }: LastImportProps) {
  const id = useId();
  const { run, history } = tabImport;
  const { overview, isOutdated, undo, undoId } = useHistory(tabImport);
  const [toUndo, setToUndo] = useState<PastImport | null>(null);
  // Apart from `toUndo`, so that the dialog keeps its words while it closes.
  const [isConfirming, setConfirming] = useState(false);
  const last = overview?.last ?? null;
  const undoText = undoTextOf(undo);
  const itemOf = (past: PastImport) => (
    <PastImportItem
      past={past}
      mayUndo={isOutdated ? null : past.undo}
      isBeingUndone={undo.kind === 'running' && undoId === past.importId}
      isDisabled={isDisabled || undo.kind === 'running'}
      onUndo={() => {
        setToUndo(past);
        setConfirming(true);
      }}
    />
  );
  return (
    <section className={styles['last']} aria-labelledby={id}>
      <h2 id={id}>Last import</h2>
      {last ? itemOf(last) : <p>{overview ? 'No imports yet.' : NOT_YET_KNOWN}</p>}
      {undo.kind === 'running' && (
        <progress
          className={controls['thread']}
          aria-label="Undoing the import"
          {...(undo.left === null ? {} : { value: undo.done, max: undo.done + undo.left })}
        />
      )}
      <div role="status" className={styles['words']}>
        {undo.kind !== 'failed' && undoText}
      </div>
      <div role="alert" className={styles['words']}>
        {undo.kind === 'failed' && undoText}
      </div>
      {overview && overview.earlier.length > 0 && (
        <EarlierImports last={last} earlier={overview.earlier} itemOf={itemOf} />
      )}
      {toUndo && (
        <ConfirmDialog
          isOpen={isConfirming}
          heading={toUndo.isByHand ? 'Undo this edit?' : 'Undo this import?'}
          no="Keep it"
          yes={toUndo.isByHand ? 'Undo the edit' : 'Undo the import'}
          onAnswer={(isYes) => {
            setConfirming(false);
            if (!isYes) return;
            // What the page says of a finished import is no longer true.
            run.dismiss();
            void history.undo(toUndo.importId);
          }}
        >
          {undoWords(toUndo)}
        </ConfirmDialog>
      )}
    </section>
  );
}

function undoWords({ added, changed, offSale, isByHand }: PastImport): string {
  const noun = isByHand ? 'edit' : 'import';
  const parts = [
    { count: added, verb: 'removes', did: 'added' },
    { count: changed, verb: 'restores', did: 'changed' },
    { count: offSale, verb: 'puts back', did: 'hid' },
  ].filter(({ count }) => count > 0);
  // Only the first part names the products: "removes the 3 products the import added", "restores the 2 it changed".
  const words = parts.map(({ count, verb, did }, i) =>
    i === 0
      ? `${verb} the ${countOf(count, 'product')} the ${noun} ${did}`
      : `${verb} the ${formatCount(count)} it ${did}`,
  );
  const all = new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
  return `This ${all}. Products that have changed since then stay as they are.`;
}

const NOT_YET_KNOWN = 'It will appear when you’re back online.';

interface EarlierImportsProps {
  readonly last: PastImport | null;
  readonly earlier: readonly PastImport[];
  readonly itemOf: (past: PastImport) => ReactNode;
}

/** Open from the start when the list holds the import that can be undone next. */
function EarlierImports({ last, earlier, itemOf }: EarlierImportsProps) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const holdsNext = last?.undo !== 'now' && earlier.some(({ undo }) => undo === 'now');
  return (
    <details
      className={styles['earlier']}
      open={isOpen ?? holdsNext}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{`Earlier imports (${formatCount(earlier.length)})`}</summary>
      <p>You can undo only the last import and the last manual edit.</p>
      <ol>
        {earlier.map((past) => (
          <li key={past.importId}>{itemOf(past)}</li>
        ))}
      </ol>
    </details>
  );
}

function undoTextOf(undo: Undo): string | null {
  switch (undo.kind) {
    case 'idle':
      return null;
    case 'running':
      return undo.left === null ? null : `${countOf(undo.left, 'product')} to go.`;
    case 'failed':
      return undo.isInConsole
        ? `${undo.message} Check your browser’s console for details.`
        : undo.message;
    case 'done': {
      const { removed, restored, kept } = undo.step;
      const keptText =
        kept === 0 ? '' : ` Not undone because of later changes: ${countOf(kept, 'product')}.`;
      return `Undone: ${countOf(removed, 'product')} removed, ${countOf(restored, 'product')} restored.${keptText}`;
    }
  }
}

interface PastImportItemProps {
  readonly past: PastImport;
  /** Null while it is not known. */
  readonly mayUndo: MayUndo | null;
  readonly isBeingUndone: boolean;
  readonly isDisabled: boolean;
  readonly onUndo: () => void;
}

/** One import: its facts, and a button to undo it or the reason why there is none. */
function PastImportItem({ past, mayUndo, isBeingUndone, isDisabled, onUndo }: PastImportItemProps) {
  const { fileName, isByHand, startedAt, finishedAt, isMine, state, offSale } = past;
  const shownAt = finishedAt ?? startedAt;
  return (
    <div className={styles['past']}>
      <p>
        {fileName !== null && <bdi className={controls['name']}>{fileName}</bdi>}
        <span>{`${isByHand ? ', edited' : ''} by ${isMine ? 'you' : 'another user'}, `}</span>
        <time dateTime={new Date(shownAt).toISOString()}>{SHORT_TIME.format(shownAt)}</time>
        <span>{STATE_NOTES[state]}</span>
      </p>
      <p className={styles['counts']}>
        <span>{rowCountsWords(past)}</span>
        {offSale > 0 && <span>{` ${hiddenWords(offSale)}`}</span>}
      </p>
      {mayUndo === 'now' && (
        <TransientButton aria-disabled={isDisabled} onClick={() => isDisabled || onUndo()}>
          {isBeingUndone ? 'Undoing...' : UNDO_LABELS[state]}
        </TransientButton>
      )}
      {mayUndo === 'foreign' && <p>Only that user can undo this.</p>}
    </div>
  );
}

const STATE_NOTES = {
  running: ' (not finished)',
  finished: '',
  undoing: ' (partly undone)',
  undone: ' (undone)',
};
const UNDO_LABELS = {
  running: 'Undo',
  finished: 'Undo',
  undoing: 'Finish undoing',
  undone: 'Undo',
};
