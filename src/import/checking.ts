/** The check of the chosen file: the worker reads it from end to end, and nothing is sent. */
import { patch, type Store } from '../browser/store.ts';
import { printDetails } from './console.ts';
import type { CheckOutcome, ImportWorker, Progress } from './protocol.ts';
import { findingOf, type SessionState, withFile } from './session-state.ts';
import { messageOf } from './words.ts';

interface CheckingOptions {
  readonly store: Store<SessionState>;
  readonly worker: Pick<ImportWorker, 'check'>;
  /** Resolves when this device has caught up with the shop, or cannot. */
  readonly caughtUp: () => Promise<void>;
  /** Called with the outcome of each check that was not replaced, a fault included. */
  readonly onFound: (found: CheckOutcome) => void;
}

interface Checking {
  /** Checks the chosen file, replacing a check under way. */
  readonly check: () => Promise<void>;
  /** Drops the file and its check. */
  readonly drop: () => void;
}

export function createChecking({ store, worker, caughtUp, onFound }: CheckingOptions): Checking {
  const get = store.snapshot;
  const change = (part: Partial<SessionState>) => patch(store, part);
  let checks = 0;

  return {
    async check() {
      const { file, choice } = get();
      if (!file) return;
      checks += 1;
      const thisCheck = checks;
      const before = findingOf(get().check);
      change({ check: { kind: 'checking', progress: null, before } });
      const onProgress = (progress: Progress) => {
        // The last progress may arrive after the answer, because it comes through another port.
        const isOpen = thisCheck === checks && get().check.kind === 'checking';
        if (isOpen) change({ check: { kind: 'checking', progress, before } });
      };
      // Waits for the sync, or the products of the last import would still look new.
      await caughtUp();
      if (thisCheck !== checks) return;
      const found = await worker.check(file, choice, onProgress).catch(faultOf);
      // The check was cancelled, or another one has replaced it.
      if (thisCheck !== checks || found.kind === 'cancelled') return;
      change({ check: found, questions: withQuestions(get(), found) });
      onFound(found);
    },
    drop() {
      checks += 1;
      change(withFile(get(), null));
    },
  };
}

function faultOf(thrown: unknown): CheckOutcome {
  printDetails('The file could not be checked:', thrown);
  return { kind: 'fault', fault: { sentence: messageOf(thrown), line: null } };
}

/** Keeps every question that was asked, so that its answer can be changed. */
function withQuestions({ questions }: SessionState, found: CheckOutcome) {
  if (found.kind !== 'ask-columns') return questions;
  const isNew = ({ column }: (typeof questions)[number]) =>
    questions.every((asked) => asked.column !== column);
  return [...questions, ...found.questions.filter(isNew)];
}
