import { useId } from 'react';
import type { DecimalMark } from '../csv/price.ts';
import { DELIMITERS } from '../csv/format.ts';
import { countOf } from '../domain/count.ts';
import type { ReadingPanelProps } from './import-run.ts';
import { type FileCheck, ENCODINGS } from './protocol.ts';
import controls from './controls.module.css';
import styles from './reading-panel.module.css';
import { DECIMAL_MARK_NAMES, DELIMITER_NAMES, ENCODING_NAMES } from './words.ts';

const DECIMAL_MARKS: readonly DecimalMark[] = ['.', ','];

/** Shows how the worker reads the file, and lets the user change that; each change reads it again. */
export function ReadingPanel({ run, state, isDisabled }: ReadingPanelProps) {
  const { choice, finding } = state;
  const detected = finding.kind === 'checked' ? finding.check : null;
  return (
    <details className={`${controls['panel']} ${controls['fold']}`}>
      <summary>
        How the file is read
        {detected && <span className={controls['sum']}>{` ${readingWords(detected)}`}</span>}
      </summary>
      <div className={styles['choices']}>
        <SelectOrDetect
          label="Encoding"
          isWide
          names={ENCODING_NAMES}
          options={ENCODINGS}
          chosen={choice.encoding}
          detected={detected && detected.encoding}
          isDisabled={isDisabled}
          onChoose={(encoding) => run.readAs({ encoding })}
        />
        <SelectOrDetect
          label="Separator"
          names={DELIMITER_NAMES}
          options={DELIMITERS}
          chosen={choice.delimiter}
          detected={detected && detected.delimiter}
          isDisabled={isDisabled}
          // Another separator gives other columns, so the chosen headings and columns no longer fit.
          onChoose={(delimiter) => run.readAs({ delimiter, headerLine: null, columns: null })}
        />
        <SelectOrDetect
          label="Decimal mark"
          names={DECIMAL_MARK_NAMES}
          options={DECIMAL_MARKS}
          chosen={choice.decimalMark}
          detected={detected && detected.decimalMark}
          isDisabled={isDisabled}
          onChoose={(decimalMark) => run.readAs({ decimalMark })}
        />
      </div>
      <div className={styles['switches']}>
        <Switch
          label="Blank cells erase saved values"
          isOn={choice.blankCellsClear}
          isDisabled={isDisabled}
          onSwitch={(blankCellsClear) => run.readAs({ blankCellsClear })}
        >
          {choice.blankCellsClear && detected
            ? `They would erase ${countOf(detected.cleared, 'saved value')}.`
            : 'Leave this off to keep saved values.'}
        </Switch>
        <Switch
          label="All or nothing"
          isOn={state.isStrict}
          isDisabled={isDisabled}
          onSwitch={run.setStrict}
        >
          If we reject any rows, we’ll ask before saving anything.
        </Switch>
      </div>
    </details>
  );
}

function readingWords({ encoding, delimiter, decimalMark }: FileCheck): string {
  const names = [
    ENCODING_NAMES[encoding],
    DELIMITER_NAMES[delimiter],
    DECIMAL_MARK_NAMES[decimalMark],
  ];
  return names.join(', ');
}

interface SelectOrDetectProps<T extends string> {
  readonly label: string;
  /** Whether it takes the whole width on a phone. */
  readonly isWide?: boolean;
  readonly names: Readonly<Record<T, string>>;
  readonly options: readonly T[];
  /** Null for "detect". */
  readonly chosen: T | null;
  /** Null before the file has been checked. */
  readonly detected: T | null;
  readonly isDisabled: boolean;
  readonly onChoose: (chosen: T | null) => void;
}

function SelectOrDetect<T extends string>(props: SelectOrDetectProps<T>) {
  const { label, isWide = false, names, options, chosen, detected, isDisabled, onChoose } = props;
  return (
    <label className={styles['choose']} data-wide={isWide}>
      <span>{label}</span>
      <select
        className={controls['select']}
        value={chosen ?? ''}
        disabled={isDisabled}
        // The values are '' for "detect", and those of `options`.
        onChange={({ currentTarget }) => onChoose((currentTarget.value as T) || null)}
      >
        <option value="">
          {detected === null || chosen !== null ? 'Detect' : `Detected: ${names[detected]}`}
        </option>
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly children: string;
}

function Switch({ label, isOn, isDisabled, onSwitch, children }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles['switch']}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-hint`}>{children}</p>
    </div>
  );
}
