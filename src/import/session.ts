/**
 * The import of this tab. It belongs to the tab, not to the screen: it goes on while the user visits other
 * screens. It ends with the tab, so the browser asks before it closes the tab. Whoever chooses the same file
 * again later continues it.
 */
import { notify } from '../ui/notices.ts';
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
import { announceCheck, type CheckingOptions, createChecking } from './checking.ts';
import type { ImportClient } from './client.ts';
import {
  type SessionState,
  NEW_SESSION,
  isImporting,
  newMatchOf,
  withFile,
} from './session-state.ts';
import { isLockHeld, waitUntilLockFree } from './import-lock.ts';
import { keepMatch, knownMatches } from './matches.ts';
import type { Choice, ImportWorker } from './protocol.ts';
import { type MendedRows, withEarlier } from './mending.ts';
import { createSending, type Sending, type SendingOptions } from './sending.ts';
import { messageOf, replacedWords } from './words.ts';

export interface ImportSessionOptions
  extends Pick<SendingOptions, 'uid' | 'tokens'>, Pick<CheckingOptions, 'waitForSync'> {
  readonly worker: ImportClient;
  /** Called when the server may have stored rows. */
  readonly onSent: () => void;
}

export interface ImportSession
  extends ReadableStore<SessionState>, Pick<Sending, 'start' | 'answer'> {
  readonly uid: string;
  readonly worker: ImportWorker;
  /** Shows whether another tab is importing, and waits until it has ended. */
  readonly refresh: () => Promise<void>;
  readonly choose: (file: File) => void;
  /** Reads the file again under another choice. */
  readonly readAs: (choice: Partial<Choice>) => void;
  /** Puts mended rows in the place of refused ones; after an import, imports them alone. */
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
  readonly session: ImportSession;
  readonly state: SessionState;
  readonly isDisabled: boolean;
}

export function createImportSession(options: ImportSessionOptions): ImportSession {
  const { uid, worker, tokens, onSent, waitForSync } = options;
  const store = createStore<SessionState>(NEW_SESSION);
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  const sending = createSending({
    store,
    uid,
    worker,
    tokens,
    onEnd() {
      onSent();
      void refresh();
    },
  });
  const { start, continueStart, answer, refuse } = sending;
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
    change({ choice: { ...get().choice, ...choice }, refusal: null });
    void check();
  }

  function cancel(): void {
    const { step } = get();
    if (step.kind === 'sending') change({ step: { ...step, isStopping: true } });
    else clear();
    worker.cancel();
  }

  /** Imports mended rows as a file of their own, after the import of the other rows. */
  async function importAlone(mended: MendedRows): Promise<void> {
    try {
      const { csv, choice, rows, replaced } = await worker.mendedFile(mended);
      if (replaced > 0) notify('status', replacedWords(replaced));
      if (rows === 0 || isImporting(get())) return;
      const state = withFile(get(), new File([csv], 'mended-rows.csv'));
      change({ ...state, choice: { ...state.choice, ...choice } });
      void check();
      start();
    } catch (thrown) {
      refuse({ kind: 'failed', message: messageOf(thrown) });
    }
  }

  async function refresh(): Promise<void> {
    if (isImporting(get()) || get().isElsewhere) return;
    const isElsewhere = await isLockHeld();
    if (isImporting(get())) return;
    change({ isElsewhere });
    if (isElsewhere) {
      await waitUntilLockFree();
      change({ isElsewhere: false });
      onSent();
    }
  }

  return {
    uid,
    worker,
    subscribe: store.subscribe,
    snapshot: get,
    refresh,
    choose(file) {
      if (isImporting(get())) return;
      change(withFile(get(), file, knownMatches(uid)));
      void check();
    },
    mend(mended) {
      const { file, choice } = get();
      if (file) readAs({ mended: withEarlier(mended, choice.mended) });
      else void importAlone(mended);
    },
    readAs,
    setStrict: (isStrict) => change({ isStrict }),
    setRange: (isRange) => change({ isRange }),
    start,
    answer,
    cancel,
    dismiss() {
      const { step } = get();
      change({ refusal: null, step: step.kind === 'done' ? { kind: 'idle' } : step });
    },
    async close() {
      cancel();
      await sending.close();
      worker.close();
    },
  };
}
