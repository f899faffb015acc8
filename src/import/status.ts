/** The status line of the import. */
import type { WaitReason } from './protocol.ts';
import type { ImportOutcome, SessionState } from './session-state.ts';

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

const CANCELLED = 'Cancelled. What was sent is stored; the rest can be sent later.';
const ELSEWHERE = 'Another window of this browser is importing. Wait until it has finished.';

const WAITING: Readonly<Record<WaitReason, string>> = {
  connection: 'Waiting for a connection. The import goes on by itself.',
  error: 'The shop answered with an error; trying again.',
  busy: 'The shop is busy. The import goes on by itself.',
};

/** Null where there is nothing to say. */
export function statusOf({ run, outcome }: Pick<SessionState, 'run' | 'outcome'>): Status | null {
  // While the page asks, a dialog covers this line.
  if (run.kind === 'reading' || run.kind === 'asking') return status('loading', GIVEN.reading);
  if (run.kind === 'sending') {
    if (run.isStopping) return status('loading', 'Cancelling...');
    if (run.waitsFor !== null) return status('loading', WAITING[run.waitsFor]);
    if (run.progress) return status('loading', GIVEN.uploading);
    return status('loading', GIVEN.reading);
  }
  return outcome && statusAfter(outcome);
}

function statusAfter(outcome: ImportOutcome): Status {
  switch (outcome.kind) {
    case 'done':
      return status('success', outcome.message ?? GIVEN.done(outcome.totals.processed));
    case 'no-file':
      return status('error', GIVEN.noFile);
    case 'open-questions':
      return status('error', 'Say which columns are meant first.');
    case 'elsewhere':
      return status('error', ELSEWHERE);
    case 'declined':
      return status('initial', 'Nothing was sent.');
    case 'cancelled':
      return status('initial', CANCELLED);
    case 'sign-in':
      return failed(GIVEN.signIn);
    case 'rejected':
      return failed(GIVEN.rejected(outcome.message));
    case 'failed':
      return failed(GIVEN.failed(outcome.message));
  }
}

function status(tone: Status['tone'], text: string): Status {
  return { tone, text, isInConsole: false };
}

function failed(text: string): Status {
  return { tone: 'error', text, isInConsole: true };
}
