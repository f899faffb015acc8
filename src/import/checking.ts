/** The check of the chosen file: the worker reads it from end to end, and nothing is sent. */
import { patch, type Store } from '../browser/store.ts';
import { announce } from '../ui/notices.ts';
import { printDetails } from './console.ts';
import type { CheckOutcome, ImportWorker, Progress } from './protocol.ts';
import { hasManyPriceJumps, type RunState, withFile } from './run-state.ts';
import { messageOf, priceJumpsWords, rowCountsWords } from './words.ts';

export interface CheckingOptions {
  readonly store: Store<RunState>;
  readonly worker: Pick<ImportWorker, 'check'>;
  /** Resolves when the sync has fetched the shop's latest products, or cannot. */
  readonly waitForSync: () => Promise<void>;
  /**
   * Called at the end of each check that was not cancelled or replaced. `isStarting`: whether the user has pressed
   * Start meanwhile.
   */
  readonly onChecked: (outcome: CheckOutcome, isStarting: boolean) => void;
}

interface Checking {
  /** Checks the chosen file, replacing a check under way. */
  readonly check: () => Promise<void>;
  /** Clears the file and its check. */
  readonly clear: () => void;
}

export function createChecking(options: CheckingOptions): Checking {
  const { store, worker, waitForSync, onChecked } = options;
  const get = store.snapshot;
  const change = (part: Partial<RunState>) => patch(store, part);
  let latestCheck = 0;

  return {
    async check() {
      const { file, choice } = get();
      if (!file) return;
      latestCheck += 1;
      const thisCheck = latestCheck;
      change({ step: { kind: 'reading', progress: null, isStarting: false } });
      const onProgress = (progress: Progress) => {
        // The last progress may arrive after the outcome, because it comes through another message port.
        const { step } = get();
        const isRunning = thisCheck === latestCheck && step.kind === 'reading';
        if (isRunning) change({ step: { ...step, progress } });
      };
      // Products of the last import that the sync has not fetched yet would look new.
      await waitForSync();
      if (thisCheck !== latestCheck) return;
      const outcome = await worker.check(file, choice, onProgress).catch(faultOf);
      // The check was cancelled, or another one has replaced it.
      if (thisCheck !== latestCheck || outcome.kind === 'cancelled') return;
      const { step } = get();
      change({ finding: outcome, step: { kind: 'checked', concern: null } });
      onChecked(outcome, step.kind === 'reading' && step.isStarting);
    },
    clear() {
      latestCheck += 1;
      change(withFile(get(), null));
    },
  };
}

/** Tells a screen reader about a check once, at its end. */
export function announceCheck(outcome: CheckOutcome): void {
  if (outcome.kind !== 'checked') return;
  const { check } = outcome;
  announce(
    `We’ve checked your file. ${rowCountsWords(check)}` +
      (hasManyPriceJumps(check) ? ` ${priceJumpsWords(check.prices)}` : ''),
  );
}

function faultOf(thrown: unknown): CheckOutcome {
  printDetails('The file could not be checked:', thrown);
  return { kind: 'fault', fault: { sentence: messageOf(thrown), line: null } };
}
