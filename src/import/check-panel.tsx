import { memo } from 'react';
import type { ColumnQuestion, FileTable } from '../csv/file-table.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import controls from './controls.module.css';
import styles from './check-panel.module.css';
import type { ImportSession } from './session.ts';
import { type CheckState, hasManyPriceJumps } from './session-state.ts';
import { GuessedEncoding } from './encoding-guess.tsx';
import { TransientButton } from './start-focus.tsx';
import { RefusedRowsPanel } from './refused-rows.tsx';
import { Preview } from './preview.tsx';
import { Problems } from './problems.tsx';
import type { FileCheck } from './protocol.ts';
import { countOf, priceJumpsWords, numberOf, timeOf } from './words.ts';

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
          <TransientButton onClick={session.cancel}>Stop checking</TransientButton>
        </section>
      );
    case 'ask-columns':
      return (
        <p className={styles['ask']} role="alert">
          {askWords(check.table.questions)}
        </p>
      );
    case 'fault':
      return <ErrorBox heading="This file cannot be read">{check.fault.sentence}</ErrorBox>;
    case 'checked':
      return <Checked session={session} check={check.check} />;
  }
});

function askWords(questions: readonly ColumnQuestion[]): string {
  const fields = questions.map(({ column }) => `“${column}”`).join(', ');
  return `Say below which column of the file is ${fields}. The shop then remembers it.`;
}

type CheckedProps = Omit<CheckPanelProps, 'check'> & { readonly check: FileCheck };

function Checked({ session, check }: CheckedProps) {
  const { rows, added, changed, unchanged, rejected, replaced, skipped } = check;
  const figures = [
    ['Rows', rows],
    ['New', added],
    ['Changed', changed],
    ['Unchanged', unchanged],
    ['Replaced', replaced],
    ['Refused', rejected],
    ...(skipped > 0 ? [['Skipped', skipped] as const] : []),
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
        <span>{`Compared with the ${countOf(check.catalogueSize, 'product')} on this device.`}</span>
        {!check.isCatalogueWhole && (
          <span> They are not all of the shop’s, so more rows look new than will be.</span>
        )}
        {replaced > 0 && (
          <span> Replaced rows come again further down with the same stock code and size.</span>
        )}
      </p>
      {check.guess && (
        <GuessedEncoding session={session} encoding={check.encoding} guess={check.guess} />
      )}
      <Remembered session={session} table={check.table} />
      {hasManyPriceJumps(check) && <p className={styles['ask']}>{priceJumpsWords(check.prices)}</p>}
    </section>
  );
}

/** Says that a remembered match is applied to the columns, and lets the user match them anew. */
function Remembered({
  session,
  table,
}: {
  readonly session: ImportSession;
  readonly table: FileTable;
}) {
  const { origin, headerLine, delimiter } = table;
  if (typeof origin === 'string') return null;
  return (
    <p className={styles['remembered']}>
      <span>{`The columns are read as you matched them on ${timeOf(origin.at)}. `}</span>
      <TransientButton
        // With an empty choice the headings alone decide, not what is remembered.
        onClick={() => session.readAs({ columns: {}, headerLine, delimiter })}
      >
        Match them anew
      </TransientButton>
    </p>
  );
}

/** The problems of the checked file, its refused rows, and its first products. */
export const Findings = memo(function Findings(props: CheckPanelProps) {
  const { session, check } = props;
  if (check.kind !== 'checked') return null;
  const { problems, rejected } = check.check;
  return (
    <section className={styles['checked']} aria-label="Findings">
      <Problems problems={problems} />
      {problems.length > 0 && (
        <RefusedRowsPanel session={session} rejected={rejected} verb="Take in" />
      )}
      <Preview check={check.check} />
    </section>
  );
});
