/**
 * The import of this tab. It belongs to the tab, not to the screen: it goes on while the user visits other
 * screens. It ends with the tab, so the browser asks before it closes the tab. Whoever chooses the same file
 * again later continues it.
 */
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
import { announceCheck, type CheckingOptions, createChecking } from './checking.ts';
import type { ImportClient } from './client.ts';
import { type RunState, NEW_RUN, isImporting, newMatchOf, withFile } from './run-state.ts';
import { keepMatch, knownMatches } from './matches.ts';
import type { Choice, ImportWorker } from './protocol.ts';
import { type MendedRows, withEarlier } from './mending.ts';
import { createSending, type Sending, type SendingOptions } from './sending.ts';

export interface ImportRunOptions
  extends Pick<SendingOptions, 'uid' | 'tokens'>, Pick<CheckingOptions, 'waitForSync'> {
  readonly worker: ImportClient;
  /** Called when the server may have stored rows. */
  readonly onSent: () => void;
}

export interface ImportRun extends ReadableStore<RunState>, Pick<Sending, 'start' | 'answer'> {
  readonly uid: string;
  readonly worker: ImportWorker;
  readonly choose: (file: File) => void;
  /** Reads the file again under another choice. */
  readonly readAs: (choice: Partial<Choice>) => void;
  /** Puts mended rows in the place of rejected ones; after an import, imports them alone. */
  readonly mend: (mended: MendedRows) => void;
  readonly setStrict: (isStrict: boolean) => void;
  readonly setRange: (isRange: boolean) => void;
  readonly cancel: () => void;
  /** Hides the outcome of the last import. */
  readonly dismiss: () => void;
  /** Ends the check or import and the worker, because another user has signed in. */
  readonly close: () => Promise<void>;
}

/** What a panel of the page gets that lets the user change how the file is read. */
export interface ReadingPanelProps {
  readonly run: ImportRun;
  readonly state: RunState;
  readonly isDisabled: boolean;
}

export function createImportRun(options: ImportRunOptions): ImportRun {
  const { uid, worker, tokens, onSent, waitForSync } = options;
  const store = createStore<RunState>(NEW_RUN);
  const get = store.snapshot;
  const change = (part: Partial<RunState>) => patch(store, part);
  const sending = createSending({
    store,
    uid,
    worker,
    tokens,
    onEnd: onSent,
  });
  const { start, continueStart, answer } = sending;
  const { check, clear } = createChecking({
    store,
    worker,
    waitForSync,
    onChecked(outcome, isStarting) {
      const match = newMatchOf(get().finding);
      if (match) keepMatch(uid, match);
      if (isStarting) continueStart();
      else announceCheck(outcome);
    },
  });

  function readAs(choice: Partial<Choice>): void {
    if (isImporting(get())) return;
    change({ choice: { ...get().choice, ...choice }, failure: null });
    void check();
  }

  function cancel(): void {
    const { step } = get();
    if (step.kind === 'sending') change({ step: { ...step, isStopping: true } });
    else clear();
    worker.cancel();
  }

  return {
    uid,
    worker,
    subscribe: store.subscribe,
    snapshot: get,
    choose(file) {
      if (isImporting(get())) return;
      change(withFile(get(), file, knownMatches(uid)));
      void check();
    },
    mend(mended) {
      const { step, choice } = get();
      if (step.kind !== 'done') {
        readAs({ mended: withEarlier(mended, choice.mended) });
        return;
      }
      const { file, choice: readAsBefore } = step.sent;
      change({
        ...withFile(get(), file),
        choice: {
          ...readAsBefore,
          mended: withEarlier(mended, readAsBefore.mended),
          onlyLines: new Set(mended.cellsByLine.keys()),
        },
      });
      void check();
      start(); // waits for the check
    },
    readAs,
    setStrict: (isStrict) => change({ isStrict }),
    setRange: (isRange) => change({ isRange }),
    start,
    answer,
    cancel,
    dismiss() {
      const { step } = get();
      change({ failure: null, step: step.kind === 'done' ? { kind: 'idle' } : step });
    },
    async close() {
      cancel();
      await sending.close();
      worker.close();
    },
  };
}
