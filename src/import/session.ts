/**
 * What is being imported in this tab. It belongs to the tab and not to the screen: whoever walks
 * through the shop meanwhile and comes back finds the import where it has got to. It ends with the
 * tab, so closing that is asked about; what is left over can be resumed.
 */
import type { TokenSource } from '../remote/auth/token-source.ts';
import { announceFound } from './announcements.ts';
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
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
  /** Something may have been stored. */
  readonly onSent: () => void;
  /** Resolves when this device has caught up with the shop, or cannot. */
  readonly caughtUp: () => Promise<void>;
}

export interface ImportSession extends ReadableStore<SessionState> {
  readonly uid: string;
  readonly worker: ImportWorker;
  /** Looks for an import in another tab, until it has ended. */
  readonly refresh: () => Promise<void>;
  readonly choose: (file: File) => void;
  /** Reads the file again, otherwise. */
  readonly readAs: (part: Partial<Choice>) => void;
  readonly setStrict: (isStrict: boolean) => void;
  readonly start: () => void;
  readonly answer: (goesOn: boolean) => void;
  readonly resume: (unfinished: Unfinished, file: File | null) => void;
  readonly forget: (importId: string) => Promise<void>;
  readonly cancel: () => void;
  /** What the last import came to is not news any more. */
  readonly dismiss: () => void;
  /** Ends what is under way, and the worker: somebody else has signed in. */
  readonly close: () => Promise<void>;
}

export function createImportSession({
  uid,
  worker,
  tokens,
  onSent,
  caughtUp,
}: ImportSessionOptions): ImportSession {
  const store = createStore<SessionState>(NEW_SESSION);
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  const { begin, conclude, close } = createSending({
    store,
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
      // The last one may come behind the answer: they travel on different ports.
      const isOpen = own === checks && get().check.kind === 'checking';
      if (isOpen) change({ check: { kind: 'checking', progress, before } });
    };
    // Or the file that was just imported would look new.
    await caughtUp();
    if (own !== checks) return;
    const found = await worker.check(file, choice, onProgress).catch(faultOf);
    // Ended, or another check has taken over.
    if (own !== checks || found.kind === 'cancelled') return;
    change({ check: found, questions: withQuestions(get(), found) });
    if (get().run.kind === 'reading') goOn();
    else announceFound(found);
  }

  /** The file, and what is being found out about it. */
  function putAway(): void {
    checks += 1;
    change(withFile(get(), null));
  }

  /** After Start was pressed and the check has ended. */
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
    subscribe: store.subscribe,
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

/** Questions that were answered stay, so that the answer can be changed. */
function withQuestions({ questions }: SessionState, found: CheckOutcome) {
  if (found.kind !== 'ask-columns') return questions;
  const isNew = ({ column }: (typeof questions)[number]) =>
    questions.every((asked) => asked.column !== column);
  return [...questions, ...found.questions.filter(isNew)];
}
