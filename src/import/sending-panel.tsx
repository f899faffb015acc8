import { countOf, formatCount } from '../domain/count.ts';
import type { LeftOut, RowCounts } from '../domain/row-counts.ts';
import controls from './controls.module.css';
import type { Totals } from './protocol.ts';
import type { ImportRun } from './import-run.ts';
import { type RunState, isBlocked, isImporting, type SendingStep, type Step } from './run-state.ts';
import { type Status, statusOf } from './status.ts';
import { START_BUTTON_ID, TransientButton } from './start-focus.tsx';
import { RejectedRowsPanel } from './rejected-rows.tsx';
import { rateOf, timeLeft } from './pace.ts';
import { SHORT_TIME } from '../ui/dates.ts';
import { Link } from '../ui/link.tsx';
import { useOnline } from '../ui/online.ts';
import styles from './sending-panel.module.css';
import { hiddenWords, rowCountsWords } from './words.ts';

interface SendingPanelProps {
  readonly run: ImportRun;
  readonly state: RunState;
  readonly isForbidden: boolean;
}

/** The Start button, the progress and the outcome of the import. */
export function SendingPanel({ run, state, isForbidden }: SendingPanelProps) {
  const { step, file } = state;
  const isOnline = useOnline();
  const isBusy = isImporting(state);
  const status = statusOf(state);
  return (
    <section className={styles['panel']} aria-label="Import">
      <output className={styles['offline']}>
        {!isOnline &&
          !isBusy &&
          'You’re offline, so you can’t import yet. You can still check your file.'}
      </output>
      {step.kind === 'sending' && <SendingProgress step={step} />}
      {file && !isBusy && !isBlocked(state.finding) && (
        <label className={styles['range']}>
          <input
            type="checkbox"
            checked={state.isRange}
            onChange={({ currentTarget }) => run.setRange(currentTarget.checked)}
          />
          <span>This file has everything we sell. Hide products that aren’t in it.</span>
        </label>
      )}
      <div className={styles['row']}>
        {/* Not `disabled`: a press says what is missing, and the button keeps the focus. Who may import
            stands at the top of the page. */}
        <button
          id={START_BUTTON_ID}
          type="button"
          className={`button ${styles['start']}`}
          aria-disabled={!file || isBusy || isForbidden || isBlocked(state.finding)}
          onClick={() => isForbidden || run.start()}
        >
          {isBusy ? 'Importing...' : 'Start Import'}
        </button>
        {isBusy && (
          <TransientButton
            // Before the worker sends, Cancel only takes back the press of Start.
            onClick={() => (step.kind === 'sending' ? run.cancel() : run.answer(false))}
          >
            Cancel
          </TransientButton>
        )}
        <StatusLine status={status} />
      </div>
      {state.failure?.kind === 'sign-in' && (
        <p>
          <Link to="/login?next=%2Fadmin%2Fimport">Log in</Link> to pick up where you left off.
        </p>
      )}
      {step.kind === 'done' && <Done run={run} step={step} />}
    </section>
  );
}

interface DoneProps {
  readonly run: ImportRun;
  readonly step: Extract<Step, { readonly kind: 'done' }>;
}

/** What came of the import, and the report of the rows that it left out. */
function Done({ run, step: { outcome, leftOut } }: DoneProps) {
  return (
    <>
      <p>
        <span>{rowCountsWords(countsAfter(outcome.totals, leftOut))}</span>
        {outcome.offSale > 0 && <span>{` ${hiddenWords(outcome.offSale)}`}</span>}
      </p>
      {leftOut.rejected + leftOut.replaced > 0 && (
        <RejectedRowsPanel run={run} rejected={leftOut.rejected} verb="Import" />
      )}
    </>
  );
}

/** Rejected rows are those that this device left out and those that the server rejected. */
function countsAfter(totals: Totals, { replaced, rejected, skipped }: LeftOut): RowCounts {
  const { inserted: added, updated: changed, unchanged } = totals;
  return { added, changed, unchanged, replaced, rejected: rejected + totals.rejected, skipped };
}

/** Keeps both live regions in the document: screen readers skip one that is added with its text. */
function StatusLine({ status }: { readonly status: Status | null }) {
  return (['alert', 'status'] as const).map((role) => {
    const isShown = status !== null && (status.tone === 'error') === (role === 'alert');
    return (
      <div key={role} role={role} className={styles['status']} data-tone={status?.tone}>
        {isShown && <p>{status.text}</p>}
        {isShown && status.isInConsole && (
          <p className={styles['hint']}>Check your browser’s console for details.</p>
        )}
      </div>
    );
  });
}

function SendingProgress({ step }: { readonly step: SendingStep }) {
  const { progress, progressAtMs, pace, fileName, waitsFor, continuesFrom } = step;
  const rows = progress?.rows ?? 0;
  const total = progress?.totalRows ?? null;
  const rate = rateOf(pace, rows, progressAtMs);
  const timeLeftText = total === null || waitsFor !== null ? null : timeLeft(total - rows, rate);
  return (
    <div className={styles['progress']}>
      <label>
        <bdi className={controls['name']}>{fileName}</bdi>
        <progress
          className={controls['thread']}
          value={total === null ? 0 : rows}
          max={total || 1} // `max` must be positive, and a file may have no rows to send
        />
      </label>
      <p className={styles['pace']}>
        <span>
          {total === null
            ? `${countOf(rows, 'row')} saved`
            : `${formatCount(rows)} of ${countOf(total, 'row')} saved`}
        </span>
        {rate > 0 && <span>{`${countOf(Math.round(rate), 'row')} a second`}</span>}
        {timeLeftText !== null && <span>{timeLeftText}</span>}
      </p>
      {continuesFrom !== null && (
        <p>
          {`Resuming the import you started on ${SHORT_TIME.format(continuesFrom)}. Nothing is saved twice.`}
        </p>
      )}
    </div>
  );
}
