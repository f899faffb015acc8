/**
 * The import of this tab. It belongs to the tab, not to the screen: it goes on while the user visits other
 * screens. It ends with the tab, so the browser asks before it closes the tab; the user can resume the
 * rest later.
 */
import type { TokenSource } from '../remote/auth/token-source.ts';
import { areOwnHeadings } from '../csv/columns.ts';
import { applyRemembered, type RememberedMatch } from '../csv/remembered.ts';
import { announce, notify } from '../ui/notices.ts';
import { announceCheck } from './announcements.ts';
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
import { createChecking } from './checking.ts';
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
import { waitUntilLockFree, isLockHeld } from './import-lock.ts';
import { keepMatch, knownMatches } from './matches.ts';
import type { Choice, ImportWorker, PageCallbacks } from './protocol.ts';
import { type MendedRows, withEarlier } from './mending.ts';
import { createSending } from './sending.ts';
import { createStarting } from './starting.ts';
import type { Unfinished } from './unfinished.ts';
import { laterMatchWords, messageOf, replacedWords } from './words.ts';

export interface ImportSessionOptions {
  readonly uid: string;
  readonly worker: ImportClient;
  readonly tokens: TokenSource;
  /** Called when the server may have stored rows. */
  readonly onSent: () => void;
  /** Whether this user may import, as far as that is known. */
  readonly mayImport: () => boolean;
  /** Remembers a match of columns for all staff. */
  readonly shareMatch: (match: RememberedMatch) => void;
  /** Resolves when this device has caught up with the shop, or cannot. */
  readonly waitForSync: () => Promise<void>;
}

export interface ImportSession extends ReadableStore<SessionState> {
  readonly uid: string;
  readonly worker: ImportWorker;
  /** Looks for an import in another tab, and waits until that has ended. */
  readonly refresh: () => Promise<void>;
  readonly choose: (file: File) => void;
  /** Takes note of what the shop has answered: whether the user may import, and how others match columns. */
  readonly meetAnswer: () => void;
  /** Reads the file again under another choice. */
  readonly readAs: (choice: Partial<Choice>) => void;
  /** Puts mended rows in the place of refused ones; after an import, imports them alone. */
  readonly mend: (mended: MendedRows) => void;
  readonly setStrict: (isStrict: boolean) => void;
  readonly start: () => void;
  /** The user's answer whether to import in spite of what the page asked about. */
  readonly answer: (isYes: boolean) => void;
  readonly resume: (unfinished: Unfinished, file: File | null) => void;
  readonly forget: (importId: string) => Promise<void>;
  readonly cancel: () => void;
  /** Hides the outcome of the last import. */
  readonly dismiss: () => void;
  /** Ends the check or import and the worker, because another user has signed in. */
  readonly close: () => Promise<void>;
}

export function createImportSession({
  uid,
  worker,
  tokens,
  onSent,
  mayImport,
  shareMatch,
  waitForSync,
}: ImportSessionOptions): ImportSession {
  const store = createStore<SessionState>(NEW_SESSION);
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  const unkept: RememberedMatch[] = [];
  const { begin, conclude, close } = createSending({
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
  const { start, continueStart, answer } = createStarting({ store, uid, worker, begin, conclude });
  const { check, clear } = createChecking({
    store,
    worker,
    waitForSync,
    onChecked(outcome, isFirst) {
      const match = ownMatchOf(get(), uid);
      if (match) unkept.push(match);
      remember();
      if (get().run.kind === 'reading') continueStart();
      else announceCheck(outcome);
      meetMatches(isFirst);
    },
  });

  function readAs(choice: Partial<Choice>): void {
    if (isImporting(get())) return;
    change({ choice: { ...get().choice, ...choice }, outcome: null, laterMatch: null });
    void check();
  }

  /** Keeps what the user has matched, once it is known that they may import. */
  function remember(): void {
    if (!mayImport()) return;
    for (const match of unkept.splice(0)) keepMatch(uid, match);
  }

  function remembered(): RememberedMatch[] {
    return [...unkept.toReversed(), ...knownMatches(uid, Date.now())];
  }

  /**
   * Where a match for the headings of the file came after the file was chosen: reads the file by it before
   * the user sees another reading, and offers it after that.
   */
  function meetMatches(isUnseen: boolean): void {
    const { check: state, choice } = get();
    const table = state.kind === 'checking' ? null : tableOf(state);
    // Mended rows hold for the reading under which the user has mended them.
    if (table?.origin !== 'headings' || choice.mended || isImporting(get())) return;
    const headers = table.columns.map(({ header }) => header);
    if (areOwnHeadings(headers)) return;
    const isNews = (match: RememberedMatch) =>
      choice.remembered.every(({ at }) => at !== match.at) && applyRemembered(match, headers);
    const laterMatch = remembered().find(isNews);
    if (!laterMatch || laterMatch.at === get().laterMatch?.at) return;
    if (isUnseen || state.kind === 'ask-columns') readAs({ remembered: [laterMatch] });
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
      change(withFile(get(), file, remembered()));
      void check();
    },
    mend(mended) {
      const { file, choice } = get();
      if (file) readAs({ mended: withEarlier(mended, choice.mended) });
      else void importAlone(mended);
    },
    meetAnswer() {
      remember();
      meetMatches(false);
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
      await worker.forget(importId).catch((thrown: unknown) => {
        printDetails('The import could not be forgotten:', thrown);
      });
    },
    cancel,
    dismiss: () => change({ outcome: null, leftOut: null }),
    async close() {
      cancel();
      await close();
      worker.close();
    },
  };
}
