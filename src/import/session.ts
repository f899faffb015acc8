/**
 * The import of this tab. It belongs to the tab, not to the screen: it goes on while the user visits other
 * screens. It ends with the tab, so the browser asks before it closes the tab; the user can resume the
 * rest later.
 */
import { areOwnHeadings } from '../csv/columns.ts';
import { applyRemembered, type RememberedMatch } from '../csv/remembered.ts';
import { announce, notify } from '../ui/notices.ts';
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
import { announceCheck, type CheckingOptions, createChecking } from './checking.ts';
import type { ImportClient } from './client.ts';
import { printDetails } from './console.ts';
import {
  type SessionState,
  NEW_SESSION,
  isImporting,
  ownMatchOf,
  tableOf,
  withFile,
} from './session-state.ts';
import { isLockHeld, runIfLockFree, waitUntilLockFree } from './import-lock.ts';
import { keepMatch, knownMatches } from './matches.ts';
import type { Choice, ImportWorker, PageCallbacks } from './protocol.ts';
import { type MendedRows, withEarlier } from './mending.ts';
import { createSending, type Sending, type SendingOptions } from './sending.ts';
import type { Unfinished } from './unfinished.ts';
import { laterMatchWords, messageOf, replacedWords } from './words.ts';

export interface ImportSessionOptions
  extends
    Pick<SendingOptions, 'uid' | 'tokens' | 'shareMatch'>,
    Pick<CheckingOptions, 'waitForSync'> {
  readonly worker: ImportClient;
  /** Called when the server may have stored rows. */
  readonly onSent: () => void;
  /** Whether the shop has said that this user may import. */
  readonly mayImport: () => boolean;
}

export interface ImportSession
  extends ReadableStore<SessionState>, Pick<Sending, 'start' | 'answer'> {
  readonly uid: string;
  readonly worker: ImportWorker;
  /** Shows whether another tab is importing, waits until it has ended, and deletes imports that are too old. */
  readonly refresh: () => Promise<void>;
  readonly choose: (file: File) => void;
  /** Called when the shop has said whether the user may import, and how others match columns. */
  readonly onOverview: () => void;
  /** Reads the file again under another choice. */
  readonly readAs: (choice: Partial<Choice>) => void;
  /** Puts mended rows in the place of refused ones; after an import, imports them alone. */
  readonly mend: (mended: MendedRows) => void;
  readonly setStrict: (isStrict: boolean) => void;
  readonly resume: (unfinished: Unfinished, file: File | null) => void;
  readonly forget: (importId: string) => Promise<void>;
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
  const { uid, worker, tokens, onSent, mayImport, shareMatch, waitForSync } = options;
  const store = createStore<SessionState>(NEW_SESSION);
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  /** This user's matches that wait to be stored until the shop has said that the user may import. */
  const unkept: RememberedMatch[] = [];
  const sending = createSending({
    store,
    uid,
    worker,
    tokens,
    onEnd() {
      onSent();
      void refresh();
    },
    shareMatch,
  });
  const { start, continueStart, answer, begin, conclude } = sending;
  const { check, clear } = createChecking({
    store,
    worker,
    waitForSync,
    onChecked(outcome, isFirst) {
      const match = ownMatchOf(get(), uid);
      if (match) unkept.push(match);
      keepOwnMatches();
      if (get().run.kind === 'reading') continueStart();
      else announceCheck(outcome);
      applyOrOfferLaterMatch({ isUnseen: isFirst });
    },
  });

  function readAs(choice: Partial<Choice>): void {
    if (isImporting(get())) return;
    change({ choice: { ...get().choice, ...choice }, outcome: null, laterMatch: null });
    void check();
  }

  /** Stores the matches in `unkept` if the user may import. */
  function keepOwnMatches(): void {
    if (!mayImport()) return;
    for (const match of unkept.splice(0)) keepMatch(uid, match);
  }

  /** The matches that wait to be stored, the newest first; then those that the page knows. */
  function allMatches(): RememberedMatch[] {
    return [...unkept.toReversed(), ...knownMatches(uid, Date.now())];
  }

  /**
   * Looks for a match for the file's headings that the page got after the file was chosen. Reads the file
   * by that match if the user has not seen the file read otherwise, and offers it to the user if they have.
   */
  function applyOrOfferLaterMatch({ isUnseen }: { readonly isUnseen: boolean }): void {
    const { check: checkState, choice } = get();
    const table = checkState.kind === 'checking' ? null : tableOf(checkState);
    // Mended rows hold for the reading under which the user has mended them.
    if (table?.origin !== 'headings' || choice.mended || isImporting(get())) return;
    const headers = table.columns.map(({ header }) => header);
    if (areOwnHeadings(headers)) return;
    const isNewMatch = (match: RememberedMatch) =>
      choice.remembered.every(({ at }) => at !== match.at) &&
      applyRemembered(match, headers) !== null;
    const laterMatch = allMatches().find(isNewMatch);
    if (!laterMatch || laterMatch.at === get().laterMatch?.at) return;
    if (isUnseen || checkState.kind === 'ask-columns') readAs({ remembered: [laterMatch] });
    else {
      change({ laterMatch });
      announce(laterMatchWords(laterMatch, uid));
    }
  }

  function cancel(): void {
    const { run } = get();
    if (run.kind === 'sending') change({ run: { ...run, isStopping: true } });
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
      conclude({ kind: 'failed', message: messageOf(thrown) });
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
    await worker.forgetOld().catch(() => undefined);
  }

  return {
    uid,
    worker,
    subscribe: store.subscribe,
    snapshot: get,
    refresh,
    choose(file) {
      if (isImporting(get())) return;
      change(withFile(get(), file, allMatches()));
      void check();
    },
    mend(mended) {
      const { file, choice } = get();
      if (file) readAs({ mended: withEarlier(mended, choice.mended) });
      else void importAlone(mended);
    },
    onOverview() {
      keepOwnMatches();
      applyOrOfferLaterMatch({ isUnseen: false });
    },
    readAs,
    setStrict: (isStrict) => change({ isStrict }),
    start,
    answer,
    resume({ importId, fileName, rowsSent, leftOut }, file) {
      if (isImporting(get())) return;
      clear();
      const run = (page: PageCallbacks) => worker.resume(uid, importId, file, page);
      begin({ fileName, rowsAtStart: rowsSent, leftOut, run, match: null });
    },
    async forget(importId) {
      if (isImporting(get())) return;
      const forgotten = runIfLockFree(async () => {
        await worker.forget(importId);
        return true;
      });
      const isForgotten = await forgotten.catch((thrown: unknown) => {
        printDetails('The import could not be forgotten:', thrown);
        return false;
      });
      // Another tab has resumed this import or begun one since the offer was drawn.
      if (isForgotten === null) void refresh();
    },
    cancel,
    dismiss: () => change({ outcome: null, leftOut: null }),
    async close() {
      cancel();
      await sending.close();
      worker.close();
    },
  };
}
