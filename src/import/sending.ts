/** Runs one import: the callbacks for the worker, the page's state meanwhile, and the outcome. */
import type { TokenSource } from '../remote/auth/token-source.ts';
import { notify } from '../ui/notices.ts';
import { announceQuarter } from './announcements.ts';
import { patch, type Store } from '../browser/store.ts';
import { printDetails } from './console.ts';
import {
  type SessionState,
  type Outcome,
  startSending,
  statusOf,
  withFile,
  withProgress,
  withWaiting,
} from './session-state.ts';
import { ifLockFree } from './one-at-a-time.ts';
import type { ImportWorker, Page, SendOutcome } from './protocol.ts';
import { messageOf } from './words.ts';

export interface SendingOptions {
  readonly store: Store<SessionState>;
  readonly uid: string;
  readonly worker: Pick<ImportWorker, 'unfinished'>;
  readonly tokens: TokenSource;
  /** Called when an import has ended; the server may have stored rows. */
  readonly onEnd: () => void;
}

export interface Delivery {
  readonly fileName: string;
  /** Rows that the server has stored before. */
  readonly rowsAtStart: number;
  /** Rows of the file that are rejected. */
  readonly leftOut: number;
  readonly work: (page: Page) => Promise<SendOutcome>;
}

export interface Sending {
  readonly begin: (delivery: Delivery) => void;
  /** Shows the outcome of a press of a button. */
  readonly conclude: (outcome: Outcome, more?: Partial<SessionState>) => void;
  /** Resolves when no import is under way any more. The import then shows no more notices. */
  readonly close: () => Promise<void>;
}

export function createSending({ store, uid, worker, tokens, onEnd }: SendingOptions): Sending {
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  let underWay: Promise<void> = Promise.resolve();
  let isClosed = false;

  const page: Page = {
    token: () => tokens.accessToken(uid),
    freshToken: () => tokens.refreshNow(uid),
    progress(progress) {
      const { run } = get();
      if (run.kind === 'sending') announceQuarter(run.progress, progress);
      change({ run: withProgress(run, progress, performance.now()) });
    },
    waiting: (reason) => change({ run: withWaiting(get().run, reason, performance.now()) }),
  };

  async function send({ fileName, rowsAtStart, leftOut, work }: Delivery): Promise<void> {
    change({ run: startSending(fileName, rowsAtStart, performance.now()), outcome: null });
    window.addEventListener('beforeunload', askBeforeLeaving);
    const before = await leftImport();
    const outcome = await ifLockFree(() => work(page)).catch((thrown: unknown): SendOutcome => {
      printDetails('The import stopped:', thrown);
      return { kind: 'failed', message: messageOf(thrown) };
    });
    window.removeEventListener('beforeunload', askBeforeLeaving);
    const left = await leftImport();
    // Clears the file after a finished import, and where the user should resume instead of restart.
    const isPutAway = outcome?.kind === 'done' || (left !== null && left !== before);
    if (!outcome) conclude({ kind: 'elsewhere' });
    else conclude(outcome, isPutAway ? { ...withFile(get(), null), leftOut } : {});
    onEnd();
  }

  /** The id of the shopper's unfinished import. */
  async function leftImport(): Promise<string | null> {
    const unfinished = await worker.unfinished(uid).catch(() => null);
    return unfinished && unfinished.importId;
  }

  function conclude(outcome: Outcome, more: Partial<SessionState> = {}): void {
    const { file } = get();
    change({ ...more, run: { kind: 'idle' }, outcome });
    const status = statusOf(get());
    if (status?.isInConsole) printDetails(status.text, { outcome, file });
    // On another screen the user does not see the status.
    if (status && !store.isFollowed() && !isClosed) {
      notify(status.tone === 'error' ? 'alert' : 'status', status.text);
    }
  }

  return {
    begin(delivery) {
      underWay = send(delivery);
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
