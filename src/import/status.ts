/** The status line of the import. */
import type { WaitReason } from './protocol.ts';
import type { Outcome, SessionState } from './session-state.ts';

export interface Status {
  readonly tone: 'initial' | 'loading' | 'success' | 'error';
  readonly text: string;
  /** Whether the browser's console has details. */
  readonly isInConsole: boolean;
}

const STOPPED = 'Cancelled. What was sent is stored; the rest can be sent later.';
const UNSEEN_MATCH =
  'Nothing was sent: somebody else has matched these columns. See above what that makes of the file, ' +
  'and press Start Import again.';
const ELSEWHERE = 'Another window of this browser is importing. Wait until it has finished.';

const WAITING: Readonly<Record<WaitReason, string>> = {
  connection: 'Waiting for a connection. The import goes on by itself.',
  error: 'The shop answered with an error; trying again.',
  busy: 'The shop is busy. The import goes on by itself.',
};

/** Null where there is nothing to say. */
export function statusOf({ run, outcome }: Pick<SessionState, 'run' | 'outcome'>): Status | null {
  if (run.kind === 'reading' || run.kind === 'asking') return status('loading', 'Reading file...');
  if (run.kind === 'sending') {
    if (run.isStopping) return status('loading', 'Cancelling...');
    if (run.waitsFor !== null) return status('loading', WAITING[run.waitsFor]);
    if (run.progress) return status('loading', 'Uploading to serverless function...');
    return status('loading', 'Reading file...');
  }
  return outcome && statusAfter(outcome);
}

/** The shop's specification gives most of these sentences. */
function statusAfter(outcome: Outcome): Status {
  switch (outcome.kind) {
    case 'done': {
      const text = `Import successful! Processed ${outcome.totals.processed} records.`;
      return status('success', outcome.message ?? text);
    }
    case 'no-file':
      return status('error', 'Please select a CSV file first.');
    case 'open-questions':
      return status('error', 'Say which columns are meant first.');
    case 'unseen-match':
      return status('error', UNSEEN_MATCH);
    case 'elsewhere':
      return status('error', ELSEWHERE);
    case 'declined':
      return status('initial', 'Nothing was sent.');
    case 'cancelled':
      return status('initial', STOPPED);
    case 'sign-in':
      return failed('Authentication session failed. Please log in again.');
    case 'rejected':
      return failed(`Import failed: ${outcome.message ?? 'Server error'}`);
    case 'failed':
      return failed(`Import failed due to client error: ${outcome.message}`);
  }
}

function status(tone: Status['tone'], text: string): Status {
  return { tone, text, isInConsole: false };
}

function failed(text: string): Status {
  return { tone: 'error', text, isInConsole: true };
}
