/** The status line of the import. */
import type { WaitReason } from './protocol.ts';
import { isImporting, type StartFailure, type RunState, type Step } from './run-state.ts';

export interface Status {
  readonly tone: 'initial' | 'loading' | 'success' | 'error';
  readonly text: string;
  /** Whether the browser's console has details. */
  readonly isInConsole: boolean;
}

/**
 * The shop's specification, which is not in this repository, gives these texts word for word. Ask the shop's
 * owner before you change one of them.
 */
const GIVEN = {
  reading: 'Reading file...',
  uploading: 'Uploading to serverless function...',
  done: (records: number) => `Import successful! Processed ${records} records.`,
  noFile: 'Please select a CSV file first.',
  signIn: 'Authentication session failed. Please log in again.',
  rejected: (reason: string | null) => `Import failed: ${reason ?? 'Server error'}`,
  failed: (reason: string | null) => `Import failed due to client error: ${reason}`,
} as const;

const CANCELLED = 'Cancelled. The rows already sent are saved. You can send the rest later.';

const WAITING: Readonly<Record<WaitReason, string>> = {
  connection: 'You’re offline. The import will continue when you’re back online.',
  error: 'Something went wrong. Trying again.',
  busy: 'The shop is busy. The import will continue in a moment.',
};

/** Null where there is nothing to say. */
export function statusOf(state: RunState): Status | null {
  return isImporting(state) || state.failure === null
    ? statusIn(state.step, isImporting(state))
    : statusAfter(state.failure);
}

function statusIn(step: Step, isBusy: boolean): Status | null {
  if (step.kind === 'done') {
    return status('success', step.outcome.message ?? GIVEN.done(step.outcome.totals.processed));
  }
  if (!isBusy) return null;
  // While the page asks, a dialog covers this line.
  if (step.kind !== 'sending') return status('loading', GIVEN.reading);
  if (step.isStopping) return status('loading', 'Cancelling...');
  if (step.waitsFor !== null) return status('loading', WAITING[step.waitsFor]);
  return status('loading', step.progress ? GIVEN.uploading : GIVEN.reading);
}

function statusAfter(failure: StartFailure): Status {
  switch (failure.kind) {
    case 'no-file':
      return status('error', GIVEN.noFile);
    case 'open-questions':
      return status('error', 'Choose the columns first.');
    case 'declined':
      return status('initial', 'Nothing was sent.');
    case 'cancelled':
      return status('initial', CANCELLED);
    case 'sign-in':
      return failed(GIVEN.signIn);
    case 'rejected':
      return failed(GIVEN.rejected(failure.message));
    case 'failed':
      return failed(GIVEN.failed(failure.message));
  }
}

function status(tone: Status['tone'], text: string): Status {
  return { tone, text, isInConsole: false };
}

function failed(text: string): Status {
  return { tone: 'error', text, isInConsole: true };
}
