import { memo } from 'react';
import type { FileTable } from '../csv/file-table.ts';
import { NO_HEADINGS } from '../csv/remembered.ts';
import { countOf, formatCount } from '../domain/count.ts';
import { SHORT_TIME } from '../ui/dates.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import controls from './controls.module.css';
import styles from './check-panel.module.css';
import type { ImportRun } from './import-run.ts';
import { type FileFinding, hasManyPriceJumps, type Step } from './run-state.ts';
import { TransientButton } from './start-focus.tsx';
import type { Encoding, EncodingGuess, FileCheck, Progress } from './protocol.ts';
import { ENCODING_NAMES, priceJumpsWords } from './words.ts';

interface CheckPanelProps {
  readonly run: ImportRun;
  /** The reading that is under way; null for none. */
  readonly reading: Extract<Step, { readonly kind: 'reading' }> | null;
  readonly finding: FileFinding;
}

/** Shows what an import of the chosen file would change. */
export const CheckPanel = memo(function CheckPanel(props: CheckPanelProps) {
  const { run, reading, finding } = props;
  if (reading) return <Reading run={run} progress={reading.progress} />;
  switch (finding.kind) {
    case 'none':
      return null;
    case 'ask-columns':
      return (
        <p className={styles['ask']} role="alert">
          {askWords(finding.table)}
        </p>
      );
    case 'fault':
      return <ErrorBox heading="We can’t read this file">{finding.fault.sentence}</ErrorBox>;
    case 'checked':
      return <Checked run={run} check={finding.check} />;
  }
});

interface ReadingProps {
  readonly run: ImportRun;
  readonly progress: Progress | null;
}

function Reading({ run, progress }: ReadingProps) {
  return (
    <section className={styles['checking']} aria-label="Check">
      <label>
        Checking your file
        <progress
          className={controls['thread']}
          value={progress?.bytes ?? 0}
          max={Math.max(1, progress?.totalBytes ?? 1)}
        />
      </label>
      <p>
        {progress
          ? `${countOf(progress.rows, 'row')} so far`
          : 'Getting the shop’s latest products first'}
      </p>
      <TransientButton onClick={run.cancel}>Stop checking</TransientButton>
    </section>
  );
}

function askWords({ questions, headerLine }: FileTable): string {
  const columns = questions.length === 1 ? 'the column' : 'columns';
  const fields = new Intl.ListFormat('en').format(questions.map(({ column }) => `“${column}”`));
  // The next file has no headings by which to know its columns.
  const next = headerLine === NO_HEADINGS ? '' : ' We’ll remember your choice.';
  return `Choose ${columns} for ${fields} below.${next}`;
}

interface CheckedProps {
  readonly run: ImportRun;
  readonly check: FileCheck;
}

function Checked({ run, check }: CheckedProps) {
  const { rows, added, changed, unchanged, rejected, replaced, skipped } = check;
  const figures = [
    ['Rows', rows],
    ['New', added],
    ['Changed', changed],
    ['Unchanged', unchanged],
    ['Replaced', replaced],
    ['Rejected', rejected],
    ...(skipped > 0 ? [['Skipped', skipped] as const] : []),
  ] as const;
  return (
    <section className={styles['checked']} aria-label="Check">
      <h2>Preview</h2>
      <dl className={styles['figures']}>
        {figures.map(([name, count]) => (
          <div key={name} data-marked={name === 'Rejected' && count > 0}>
            <dt>{name}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['note']}>
        <span>{`Compared with the ${countOf(check.catalogueSize, 'product')} on this device.`}</span>
        {!check.isCatalogueWhole && (
          <span>
            {' '}
            This device doesn’t have every product yet, so some rows may look new when they aren’t.
          </span>
        )}
        {replaced > 0 && (
          <span> Replaced rows have the same stock code and size as a later row.</span>
        )}
      </p>
      {check.guess && <GuessedEncoding run={run} encoding={check.encoding} guess={check.guess} />}
      <Remembered run={run} table={check.table} />
      {hasManyPriceJumps(check) && <p className={styles['ask']}>{priceJumpsWords(check.prices)}</p>}
    </section>
  );
}

/** Says that a remembered match is applied to the columns, and lets the user match them anew. */
function Remembered({ run, table }: { readonly run: ImportRun; readonly table: FileTable }) {
  const { origin, headerLine, delimiter } = table;
  if (typeof origin === 'string') return null;
  return (
    <p className={styles['remembered']}>
      <span>{`We matched the columns as you did on ${SHORT_TIME.format(origin.at)}. `}</span>
      <TransientButton
        // With an empty choice the headings alone decide, not what is remembered.
        onClick={() => run.readAs({ columns: {}, headerLine, delimiter })}
      >
        Match again
      </TransientButton>
    </p>
  );
}

interface GuessedEncodingProps {
  readonly run: ImportRun;
  readonly encoding: Encoding;
  readonly guess: EncodingGuess;
}

/** Says that the encoding is a guess, with words to judge it by, and offers what else it could be. */
function GuessedEncoding({ run, encoding, guess }: GuessedEncodingProps) {
  const { isDoubtful, words, others } = guess;
  return (
    <section className={styles['guess']} aria-label="How the text is read">
      <p>
        <span>{`The file specifies no encoding. Our guess is ${ENCODING_NAMES[encoding]}.`}</span>
        {isDoubtful && <span> The letters look wrong: choose another encoding.</span>}
      </p>
      <ul className={styles['words']}>
        {words.map(({ before, after }) => (
          <li key={before + after}>
            <s>{before}</s> <span className="visually-hidden">is read as</span> <b>{after}</b>
          </li>
        ))}
      </ul>
      {others.map((other) => (
        <TransientButton
          key={other.encoding}
          onClick={() => run.readAs({ encoding: other.encoding })}
        >
          {`${ENCODING_NAMES[other.encoding]}: ${other.words.slice(0, SHOWN_WORDS).join(', ')}`}
        </TransientButton>
      ))}
    </section>
  );
}

const SHOWN_WORDS = 3;
