/**
 * The import of this tab. It belongs to the tab, not to the screen: a user who visits other screens
 * meanwhile finds the import still running. It ends with the tab, so the browser asks before closing
 * that; the user can resume the rest later.
 */
import type { TokenSource } from '../remote/auth/token-source.ts';
import { announceFound } from './announcements.ts';
import { type Cell, createCell } from './cell.ts';
import type { ImportClient } from './client.ts';
import { printDetails } from './console.ts';
import {
  type SessionState,
  NEW_SESSION,
  findingOf,
  isImporting,
  needsAnswer,
  withFile,
} from './session-state.ts';
import { freed, isTaken } from './one-at-a-time.ts';
import type { CheckOutcome, Choice, ImportWorker, Page, Progress } from './protocol.ts';
import { createSending } from './sending.ts';
import type { Unfinished } from './unfinished.ts';
import { faultWords, messageOf } from './words.ts';

export interface ImportSessionOptions {
  readonly uid: string;
  readonly worker: ImportClient;
  readonly tokens: TokenSource;
  /** Called when the server may have stored rows. */
  readonly onSent: () => void;
  /** Resolves when this device has caught up with the shop, or cannot. */
  readonly caughtUp: () => Promise<void>;
}

export interface ImportSession extends Pick<Cell<SessionState>, 'subscribe'> {
  readonly uid: string;
  readonly worker: ImportWorker;
  readonly snapshot: () => SessionState;
  /** Looks for an import in another tab, and waits until that has ended. */
  readonly refresh: () => Promise<void>;
  readonly choose: (file: File) => void;
  /** Reads the file again under another choice. */
  readonly readAs: (part: Partial<Choice>) => void;
  readonly setStrict: (isStrict: boolean) => void;
  readonly start: () => void;
  readonly answer: (goesOn: boolean) => void;
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
  caughtUp,
}: ImportSessionOptions): ImportSession {
  const cell = createCell<SessionState>(NEW_SESSION);
  const { get, change } = cell;
  const { begin, conclude, close } = createSending({
    cell,
    uid,
    worker,
    tokens,
    onEnd() {
      onSent();
      void refresh();
    },
  });
  let checks = 0;

  async function check(): Promise<void> {
    const { file, choice } = get();
    if (!file) return;
    checks += 1;
    const own = checks;
    const before = findingOf(get().check);
    change({ check: { kind: 'checking', progress: null, before } });
    const onProgress = (progress: Progress) => {
      // The last progress may arrive after the answer, because it comes through another port.
      const isOpen = own === checks && get().check.kind === 'checking';
      if (isOpen) change({ check: { kind: 'checking', progress, before } });
    };
    // Otherwise the products of the last import would still look new.
    await caughtUp();
    if (own !== checks) return;
    const found = await worker.check(file, choice, onProgress).catch(faultOf);
    // The check was cancelled, or another one has replaced it.
    if (own !== checks || found.kind === 'cancelled') return;
    change({ check: found, questions: withQuestions(get(), found) });
    if (get().run.kind === 'reading') goOn();
    else announceFound(found);
  }

  /** Clears the file, and ignores the check that may be running. */
  function putAway(): void {
    checks += 1;
    change(withFile(get(), null));
  }

  /** Continues after the user has pressed Start and the check has ended. */
  function goOn(): void {
    const { check: found, isStrict } = get();
    if (found.kind === 'ask-columns') conclude({ kind: 'open-questions' });
    if (found.kind === 'fault') conclude({ kind: 'failed', message: faultWords(found.fault) });
    if (found.kind !== 'checked') return;
    if (found.check.accepted === 0) conclude({ kind: 'failed', message: NOTHING_TO_SEND });
    else if (!needsAnswer(found.check, isStrict)) send();
    else change({ run: { kind: 'asking', check: found.check } });
  }

  function send(): void {
    const { file, check: found } = get();
    if (!file || found.kind !== 'checked') return;
    const { name: fileName } = file;
    const leftOut = found.check.rejected;
    begin({ fileName, rowsAtStart: 0, leftOut, work: (page) => worker.send(uid, page) });
  }

  function cancel(): void {
    const { run } = get();
    if (run.kind === 'sending') change({ run: { ...run, isStopping: true } });
    else putAway();
    worker.cancel();
  }

  async function refresh(): Promise<void> {
    if (isImporting(get()) || get().isElsewhere) return;
    const isElsewhere = await isTaken();
    if (isImporting(get())) return;
    change({ isElsewhere });
    if (isElsewhere) {
      await freed();
      change({ isElsewhere: false });
      onSent();
    }
    await worker.forgetOld().catch(() => undefined);
  }

  return {
    uid,
    worker,
    subscribe: cell.subscribe,
    snapshot: get,
    refresh,
    choose(file) {
      if (isImporting(get())) return;
      change(withFile(get(), file));
      void check();
    },
    readAs(part) {
      if (isImporting(get())) return;
      change({ choice: { ...get().choice, ...part }, outcome: null });
      void check();
    },
    setStrict: (isStrict) => change({ isStrict }),
    start() {
      const { file, check: found } = get();
      if (isImporting(get())) return;
      if (!file) {
        conclude({ kind: 'no-file' });
        return;
      }
      change({ run: { kind: 'reading' }, outcome: null });
      if (found.kind !== 'checking') goOn();
    },
    answer(goesOn) {
      if (get().run.kind !== 'asking') return;
      if (goesOn) send();
      else conclude({ kind: 'declined' });
    },
    resume({ importId, fileName, rowsSent, rowsRefused }, file) {
      if (isImporting(get())) return;
      putAway();
      const work = (page: Page) => worker.resume(uid, importId, file, page);
      begin({ fileName, rowsAtStart: rowsSent, leftOut: rowsRefused, work });
    },
    async forget(importId) {
      if (isImporting(get())) return;
      await worker.forget(importId).catch((thrown: unknown) => {
        printDetails('The import could not be forgotten:', thrown);
      });
    },
    cancel,
    dismiss: () => change({ outcome: null, leftOut: 0 }),
    async close() {
      cancel();
      await close();
      worker.close();
    },
  };
}

const NOTHING_TO_SEND = 'No row of this file can be imported.';

function faultOf(thrown: unknown): CheckOutcome {
  printDetails('The file could not be checked:', thrown);
  return { kind: 'fault', fault: { sentence: messageOf(thrown), line: null } };
}

/** Keeps the answered questions, so that the user can change an answer. */
function withQuestions({ questions }: SessionState, found: CheckOutcome) {
  if (found.kind !== 'ask-columns') return questions;
  const isNew = ({ column }: (typeof questions)[number]) =>
    questions.every((asked) => asked.column !== column);
  return [...questions, ...found.questions.filter(isNew)];
}
