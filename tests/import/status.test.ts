/** What the import says of itself, and in which tone. */
import { expect, test } from 'vitest';
import {
  firstSendingStep,
  NEW_RUN,
  type RunState,
  type Step,
  withWaiting,
} from '../../src/import/run-state.ts';
import { statusOf } from '../../src/import/status.ts';

const BEGINNING = firstSendingStep('products.csv', 0);
const SENDING = { ...BEGINNING, progress: { rows: 0, totalRows: 2, bytes: 0, totalBytes: 9 } };
const WAITING = withWaiting(SENDING, 'busy', 0);
const TOTALS = { processed: 2, inserted: 2, updated: 0, unchanged: 0, rejected: 0 };
const rejected = (message: string | null) =>
  ({ kind: 'rejected', message, status: null, answer: null }) as const;
const doneWith = (message: string | null): Step => ({
  kind: 'done',
  outcome: { kind: 'done', totals: TOTALS, message, offSale: 0 },
  leftOut: { rejected: 0, replaced: 0, skipped: 0 },
  sent: NEW_RUN,
});

test.each<[string, Partial<RunState>]>([
  ['loading: Reading file...', { step: BEGINNING }],
  ['loading: Uploading to serverless function...', { step: SENDING }],
  ['loading: The shop is busy. The import will continue in a moment.', { step: WAITING }],
  ['loading: Cancelling...', { step: { ...WAITING, isStopping: true } }],
  ['error: Please select a CSV file first.', { failure: { kind: 'no-file' } }],
  ['initial: Nothing was sent.', { failure: { kind: 'declined' } }],
  ['error: Authentication session failed. Please log in again.', { failure: { kind: 'sign-in' } }],
  ['error: Import failed: No loom.', { failure: rejected('No loom.') }],
  ['error: Import failed: Server error', { failure: rejected(null) }],
  [
    'error: Import failed due to client error: Gone.',
    { failure: { kind: 'failed', message: 'Gone.' } },
  ],
  ['success: Import successful! Processed 2 records.', { step: doneWith(null) }],
  ['success: Two tees are in.', { step: doneWith('Two tees are in.') }],
])('an import says in its tone: %s', (line, changes) => {
  const status = statusOf({ ...NEW_RUN, ...changes });
  expect(`${status?.tone}: ${status?.text}`).toBe(line);
});
