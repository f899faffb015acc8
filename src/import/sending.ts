/** Runs an import in the worker, and keeps the page's state up to date until its outcome is known. */
import type { RememberedMatch } from '../csv/remembered.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { notify } from '../ui/notices.ts';
import { announceQuarter } from './announcements.ts';
import { patch, type Store } from '../browser/store.ts';
import { printDetails } from './console.ts';
import {
  type SessionState,
  type Outcome,
  startSending,
  withFile,
  withProgress,
  withWaiting,
} from './session-state.ts';
import { runIfLockFree } from './import-lock.ts';
import type { ImportWorker, PageCallbacks, SendOutcome } from './protocol.ts';
import { statusOf } from './status.ts';
import { messageOf } from './words.ts';

export interface SendingOptions {
  readonly store: Store<SessionState>;
  readonly uid: string;
  readonly worker: Pick<ImportWorker, 'unfinished'>;
  readonly tokens: TokenSource;
  /** Called when an import has stopped; the server may have stored rows. */
  readonly onEnd: () => void;
  /** Remembers for all staff how the columns of a finished import were matched. */
  readonly shareMatch: (match: RememberedMatch) => void;
}

/** An import to begin or to resume. */
export interface ImportTask {
  readonly fileName: string;
  /** Rows that the server has already stored. */
  readonly rowsAtStart: number;
  readonly leftOut: LeftOut;
  readonly run: (page: PageCallbacks) => Promise<SendOutcome>;
  /** How this user has matched the columns; null where the headings or another user did. */
  readonly match: RememberedMatch | null;
}

export interface Sending {
  readonly begin: (task: ImportTask) => void;
  /** Ends the run and shows its outcome. */
  readonly conclude: (outcome: Outcome, changes?: Partial<SessionState>) => void;
  /** Stops showing notices, and resolves when the import under way has ended. */
  readonly close: () => Promise<void>;
}

export function createSending(options: SendingOptions): Sending {
  const { store, uid, worker, tokens, onEnd, shareMatch } = options;
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  let underWay: Promise<void> = Promise.resolve();
  let isClosed = false;

  const page: PageCallbacks = {
    token: () => tokens.accessToken(uid),
    freshToken: () => tokens.refreshNow(uid),
    progress(progress) {
      const { run } = get();
      if (run.kind === 'sending') announceQuarter(run.progress, progress);
      change({ run: withProgress(run, progress, performance.now()) });
    },
    waiting: (reason) => change({ run: withWaiting(get().run, reason, performance.now()) }),
  };

  async function send({ fileName, rowsAtStart, leftOut, run, match }: ImportTask): Promise<void> {
    change({ run: startSending(fileName, rowsAtStart, performance.now()), outcome: null });
    window.addEventListener('beforeunload', askBeforeLeaving);
    const unfinishedBefore = await unfinishedId();
    const outcome = await runIfLockFree(() => run(page)).catch((thrown: unknown): SendOutcome => {
      printDetails('The import stopped:', thrown);
      return { kind: 'failed', message: messageOf(thrown) };
    });
    window.removeEventListener('beforeunload', askBeforeLeaving);
    const unfinished = await unfinishedId();
    const canResume = unfinished !== null && unfinished !== unfinishedBefore;
    // Clears the file after a finished import, and where the user should resume instead of restart.
    const clearsFile = outcome?.kind === 'done' || canResume;
    if (!outcome) conclude({ kind: 'elsewhere' });
    else conclude(outcome, clearsFile ? { ...withFile(get(), null), leftOut } : {});
    if (outcome?.kind === 'done' && match) shareMatch(match);
    onEnd();
  }

  async function unfinishedId(): Promise<string | null> {
    const unfinished = await worker.unfinished(uid).catch(() => null);
    return unfinished && unfinished.importId;
  }

  function conclude(outcome: Outcome, changes: Partial<SessionState> = {}): void {
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
    begin(task) {
      underWay = send(task);
    },
    conclude,
    async close() {
      isClosed = true;
      await underWay;
    },
  };
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
