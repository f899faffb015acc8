import { memo } from 'react';
import { ErrorBox } from '../ui/error-box.tsx';
import controls from './controls.module.css';
import styles from './check-panel.module.css';
import type { ImportSession } from './session.ts';
import { type CheckState, hasManyPriceJumps } from './session-state.ts';
import { GuessedEncoding } from './encoding-guess.tsx';
import { passFocusToStart } from './start-focus.ts';
import { RefusedRows } from './refused-rows.tsx';
import { Preview } from './preview.tsx';
import { Problems } from './problems.tsx';
import type { Check } from './protocol.ts';
import { countOf, priceJumpsWords, numberOf } from './words.ts';

interface CheckPanelProps {
  readonly session: ImportSession;
  readonly check: CheckState;
}

/** Shows what an import of the chosen file would change. */
export const CheckPanel = memo(function CheckPanel({ session, check }: CheckPanelProps) {
  switch (check.kind) {
    case 'none':
      return null;
    case 'checking':
      return (
        <section className={styles['checking']} aria-label="Check">
          <label>
            Checking the file
            <progress
              className={controls['thread']}
              value={check.progress?.bytes ?? 0}
              max={Math.max(1, check.progress?.totalBytes ?? 1)}
            />
          </label>
          <p>
            {check.progress
              ? `${countOf(check.progress.rows, 'row')} so far`
              : 'Getting the latest products of the shop first'}
          </p>
          <button ref={passFocusToStart} type="button" className="quiet" onClick={session.cancel}>
            Stop checking
          </button>
        </section>
      );
    case 'ask-columns':
      return (
        <p className={styles['ask']} role="alert">
          Several columns of the file could mean the same thing. Choose above which one is meant.
        </p>
      );
    case 'fault':
      return <ErrorBox heading="This file cannot be read">{check.fault.sentence}</ErrorBox>;
    case 'checked':
      return <Checked session={session} check={check.check} />;
  }
});

function Checked({ session, check }: { readonly session: ImportSession; readonly check: Check }) {
  const { rows, added, changed, unchanged, rejected, replaced, ignored, problems } = check;
  const figures = [
    ['Rows', rows],
    ['New', added],
    ['Changed', changed],
    ['Unchanged', unchanged],
    ['Replaced', replaced],
    ['Refused', rejected],
  ] as const;
  return (
    <section className={styles['checked']} aria-label="Check">
      <h2>What this file would do</h2>
      <dl className={styles['figures']}>
        {figures.map(([name, count]) => (
          <div key={name} data-marked={name === 'Refused' && count > 0}>
            <dt>{name}</dt>
            <dd>{numberOf(count)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['note']}>
        Compared with the {countOf(check.catalogueSize, 'product')} on this device.
        {!check.isCatalogueWhole &&
          ' They are not all of the shop’s, so more rows look new than will be.'}
        {replaced > 0 &&
          ' Replaced rows come again further down with the same stock code and size.'}
      </p>
      {check.guess && (
        <GuessedEncoding session={session} encoding={check.encoding} guess={check.guess} />
      )}
      {ignored.length > 0 && (
        <p>
          Ignored {ignored.length === 1 ? 'column' : 'columns'}:{' '}
          {ignored.map((heading) => `“${heading}”`).join(', ')}
        </p>
      )}
      {hasManyPriceJumps(check) && <p className={styles['ask']}>{priceJumpsWords(check.prices)}</p>}
      <Problems problems={problems} />
      {problems.length > 0 && (
        <RefusedRows
          session={session}
          rejected={rejected}
          verb="Take in"
          onMended={(mended) => session.mend(mended)}
        />
      )}
      <Preview check={check} />
    </section>
  );
}
