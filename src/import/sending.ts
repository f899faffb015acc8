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
  firstSendingStep,
  type StartFailure,
  type SendingStep,
  type RunState,
  stepBack,
  withFile,
  withWaiting,
} from './run-state.ts';
import type { ImportWorker, PageCallbacks, Progress, SendOutcome } from './protocol.ts';
import { statusOf } from './status.ts';
import { messageOf } from './words.ts';

export interface SendingOptions {
  readonly store: Store<RunState>;
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
  /** Stops showing notices, and resolves when the import under way has ended. */
  readonly close: () => Promise<void>;
}

export function createSending(options: SendingOptions): Sending {
  const { store, uid, worker, tokens, onEnd } = options;
  const get = store.snapshot;
  const change = (part: Partial<RunState>) => patch(store, part);
  let underWay: Promise<void> = Promise.resolve();
  let isClosed = false;
  let answerRange: ((isYes: boolean) => void) | null = null;

  const page: PageCallbacks = {
    token: () => tokens.accessToken(uid),
    freshToken: () => tokens.refreshNow(uid),
    progress(progress) {
      onStep((step) => {
        announceQuarter(step.progress, progress);
        return { ...step, progress, progressAtMs: performance.now() };
      });
    },
    continuing: (continuesFrom) => onStep((step) => ({ ...step, continuesFrom })),
    confirmRange(count, of) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answerRange = resolve;
      onStep((step) => ({ ...step, leaving: { count, of } }));
      return promise;
    },
    waiting: (reason) => onStep((step) => withWaiting(step, reason, performance.now())),
  };

  /** Changes the step while the worker sends. A call of the worker may arrive after its end. */
  function onStep(next: (step: SendingStep) => SendingStep): void {
    const { step } = get();
    if (step.kind === 'sending') change({ step: next(step) });
  }

  function start(): void {
    const { file, step } = get();
    if (isImporting(get())) return;
    if (!file) {
      failStart({ kind: 'no-file' });
      return;
    }
    change({ failure: null });
    if (step.kind === 'reading') change({ step: { ...step, isStarting: true } });
    else continueStart();
  }

  function continueStart(): void {
    const { finding } = get();
    if (finding.kind === 'ask-columns') failStart({ kind: 'open-questions' });
    if (finding.kind === 'fault') failStart({ kind: 'failed', message: finding.fault.sentence });
    if (finding.kind !== 'checked') return;
    const { accepted, hidden } = finding.check;
    if (accepted + hidden === 0) failStart({ kind: 'failed', message: NOTHING_TO_SEND });
    else askOrSend();
  }

  /** Asks about one concern after the other, and sends when none is left. */
  function askOrSend(): void {
    const { finding, step } = get();
    if (finding.kind !== 'checked' || step.kind !== 'checked') return;
    const concerns = concernsAbout(finding.check, get());
    const concern = concerns[step.concern === null ? 0 : concerns.indexOf(step.concern) + 1];
    if (concern === undefined) sendChecked();
    else change({ step: { ...step, concern } });
  }

  function sendChecked(): void {
    const { file, finding } = get();
    if (!file || finding.kind !== 'checked') return;
    const { replaced, rejected, skipped } = finding.check;
    underWay = send(file.name, { replaced, rejected, skipped });
  }

  async function send(fileName: string, leftOut: LeftOut): Promise<void> {
    change({ step: firstSendingStep(fileName, performance.now()) });
    window.addEventListener('beforeunload', askBeforeLeaving);
    const outcome = await worker.send(page, get().isRange).catch((thrown: unknown): SendOutcome => {
      printDetails('The import stopped:', thrown);
      return { kind: 'failed', message: messageOf(thrown) };
    });
    window.removeEventListener('beforeunload', askBeforeLeaving);
    if (outcome.kind === 'done') {
      const { file, choice } = get();
      const step = { kind: 'done', outcome, leftOut, sent: { file, choice } } as const;
      change({ ...withFile(get(), null), step });
      tellElsewhere();
    } else failStart(outcome); // the file stays chosen, and another Start continues the import
    onEnd();
  }

  /** Goes back to before the press of Start, and says why. */
  function failStart(failure: StartFailure): void {
    const { file } = get();
    change({ step: stepBack(get()), failure });
    const status = statusOf(get());
    if (status?.isInConsole) printDetails(status.text, { ...failure, file });
    tellElsewhere();
  }

  /** Shows the status as a notice while the user is on another screen. */
  function tellElsewhere(): void {
    const status = statusOf(get());
    // Without a subscriber the import page is not on screen.
    if (status && !store.hasSubscriber() && !isClosed) {
      notify(status.tone === 'error' ? 'alert' : 'status', status.text);
    }
  }

  return {
    start,
    continueStart,
    answer(isYes) {
      const { kind } = get().step;
      if (kind === 'sending') {
        onStep((step) => ({ ...step, leaving: null }));
        answerRange?.(isYes);
      } else if (!isYes) failStart({ kind: 'declined' });
      else if (kind === 'checked') askOrSend();
    },
    async close() {
      isClosed = true;
      await underWay;
    },
  };
}

const NOTHING_TO_SEND = 'This file has no rows to import.';

/** Tells a screen reader about an import at every quarter. */
function announceQuarter(previous: Progress | null, { rows, totalRows }: Progress): void {
  if (!totalRows) return;
  const quarter = Math.floor((4 * rows) / totalRows);
  const before = Math.floor((4 * (previous?.rows ?? 0)) / totalRows);
  if (quarter > before && quarter < 4) announce(`${quarter * 25} percent of the rows are saved.`);
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
