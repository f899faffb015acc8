/**
 * The import itself: after a press of Start it waits for the check, asks the user about its findings, has the
 * worker send the file, and keeps the page's state up to date until the outcome is known.
 */
import type { TokenSource } from '../remote/auth/token-source.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { announce, notify } from '../ui/notices.ts';
import { patch, type Store } from '../browser/store.ts';
import { printDetails } from './console.ts';
import {
  concernsAbout,
  isImporting,
  newSendingState,
  type ImportOutcome,
  type SessionState,
  withFile,
  withProgress,
  withWaiting,
} from './session-state.ts';
import { runIfLockFree } from './import-lock.ts';
import type { ImportWorker, PageCallbacks, Progress, SendOutcome } from './protocol.ts';
import { statusOf } from './status.ts';
import { messageOf } from './words.ts';

export interface SendingOptions {
  readonly store: Store<SessionState>;
  readonly uid: string;
  readonly worker: Pick<ImportWorker, 'send'>;
  readonly tokens: TokenSource;
  /** Called when an import has stopped; the server may have stored rows. */
  readonly onEnd: () => void;
}

export interface Sending {
  /** Imports the chosen file, when it has been checked and the user has answered what the page asks. */
  readonly start: () => void;
  /** Continues after the check that Start waits for. */
  readonly continueStart: () => void;
  /**
   * The user's answer whether to import in spite of what the page asked about. No also takes back a Start that
   * waits for the check; the file stays chosen, with the rows that the user has mended.
   */
  readonly answer: (isYes: boolean) => void;
  /** Ends the run and shows its outcome. */
  readonly conclude: (outcome: ImportOutcome, changes?: Partial<SessionState>) => void;
  /** Stops showing notices, and resolves when the import under way has ended. */
  readonly close: () => Promise<void>;
}

export function createSending(options: SendingOptions): Sending {
  const { store, uid, worker, tokens, onEnd } = options;
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  let underWay: Promise<void> = Promise.resolve();
  let isClosed = false;
  let answerRange: ((isYes: boolean) => void) | null = null;

  const page: PageCallbacks = {
    token: () => tokens.accessToken(uid),
    freshToken: () => tokens.refreshNow(uid),
    progress(progress) {
      const { run } = get();
      if (run.kind === 'sending') announceQuarter(run.progress, progress);
      change({ run: withProgress(run, progress, performance.now()) });
    },
    continuing(startedAt) {
      const { run } = get();
      if (run.kind === 'sending') change({ run: { ...run, continuesFrom: startedAt } });
    },
    confirmRange(count, of) {
      const { run } = get();
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answerRange = resolve;
      if (run.kind === 'sending') change({ run: { ...run, leaving: { count, of } } });
      return promise;
    },
    waiting: (reason) => change({ run: withWaiting(get().run, reason, performance.now()) }),
  };

  function start(): void {
    const { file, check } = get();
    if (isImporting(get())) return;
    if (!file) {
      conclude({ kind: 'no-file' });
      return;
    }
    change({ run: { kind: 'reading' }, outcome: null });
    if (check.kind !== 'checking') continueStart();
  }

  function continueStart(): void {
    const { check: checkState } = get();
    if (checkState.kind === 'ask-columns') conclude({ kind: 'open-questions' });
    if (checkState.kind === 'fault') {
      conclude({ kind: 'failed', message: checkState.fault.sentence });
    }
    if (checkState.kind !== 'checked') return;
    const { accepted, hidden } = checkState.check;
    if (accepted + hidden === 0) conclude({ kind: 'failed', message: NOTHING_TO_SEND });
    else askOrSend();
  }

  /** Asks about one concern after the other, and sends when none is left. */
  function askOrSend(): void {
    const { check: checkState, run } = get();
    if (checkState.kind !== 'checked') return;
    const { check } = checkState;
    const concerns = concernsAbout(check, get());
    const next = run.kind === 'asking' ? concerns.indexOf(run.about) + 1 : 0;
    const about = concerns[next];
    if (about === undefined) sendChecked();
    else change({ run: { kind: 'asking', check, about } });
  }

  function sendChecked(): void {
    const { file, check: checkState } = get();
    if (!file || checkState.kind !== 'checked') return;
    const { replaced, rejected, skipped } = checkState.check;
    underWay = send(file.name, { replaced, rejected, skipped });
  }

  async function send(fileName: string, leftOut: LeftOut): Promise<void> {
    change({ run: newSendingState(fileName, performance.now()), outcome: null });
    window.addEventListener('beforeunload', askBeforeLeaving);
    const runUnlessStopping = async (): Promise<SendOutcome> => {
      const { run: state } = get();
      // The worker can cancel only what has reached it, so a press of Cancel before this has changed the state only.
      if (state.kind === 'sending' && state.isStopping) return { kind: 'cancelled' };
      return worker.send(page, get().isRange);
    };
    const outcome = await runIfLockFree(runUnlessStopping).catch((thrown: unknown): SendOutcome => {
      printDetails('The import stopped:', thrown);
      return { kind: 'failed', message: messageOf(thrown) };
    });
    window.removeEventListener('beforeunload', askBeforeLeaving);
    if (!outcome) conclude({ kind: 'elsewhere' });
    // Otherwise the file stays chosen, and another Start continues the import.
    else if (outcome.kind !== 'done') conclude(outcome);
    else conclude(outcome, { ...withFile(get(), null), leftOut });
    onEnd();
  }

  function conclude(outcome: ImportOutcome, changes: Partial<SessionState> = {}): void {
    const { file } = get();
    change({ ...changes, run: { kind: 'idle' }, outcome });
    const status = statusOf(get());
    if (status?.isInConsole) printDetails(status.text, { ...outcome, file });
    // Without a subscriber the import page is not on screen, and the user cannot see the status.
    if (status && !store.isFollowed() && !isClosed) {
      notify(status.tone === 'error' ? 'alert' : 'status', status.text);
    }
  }

  return {
    start,
    continueStart,
    answer(isYes) {
      const { run } = get();
      const { kind } = run;
      if (kind === 'sending') {
        change({ run: { ...run, leaving: null } });
        answerRange?.(isYes);
      }
      if (isYes && kind === 'asking') askOrSend();
      if (!isYes && (kind === 'asking' || kind === 'reading')) conclude({ kind: 'declined' });
    },
    conclude,
    async close() {
      isClosed = true;
      await underWay;
    },
  };
}

const NOTHING_TO_SEND = 'No row of this file can be imported.';

/** Tells a screen reader about an import at every quarter. */
function announceQuarter(previous: Progress | null, { rows, totalRows }: Progress): void {
  if (!totalRows) return;
  const quarter = Math.floor((4 * rows) / totalRows);
  const before = Math.floor((4 * (previous?.rows ?? 0)) / totalRows);
  if (quarter > before && quarter < 4) announce(`${quarter * 25} percent of the rows are stored.`);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
