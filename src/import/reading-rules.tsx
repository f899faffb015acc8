import { useId } from 'react';
import type { RuleName } from '../csv/remembered.ts';
import type { AppliedRule } from './protocol.ts';
import styles from './reading-rules.module.css';
import type { ReadingPanelProps } from './session.ts';
import { findingOf } from './session-state.ts';
import { countOf } from './words.ts';

/** The rules by which this file was read; the user can switch each off. */
export function ReadingRules({ session, state, isDisabled }: ReadingPanelProps) {
  const id = useId();
  const finding = findingOf(state.check);
  if (finding.kind !== 'checked' || finding.check.rules.length === 0) return null;
  // While the worker reads the file again, the check is older than what the user has switched.
  // Null until the user has switched a rule.
  const { rulesOff } = state.choice;
  const rules = finding.check.rules.map((rule) => ({
    ...rule,
    isOn: rulesOff === null ? rule.isOn : !rulesOff.includes(rule.name),
  }));
  return (
    <section className={styles['rules']} aria-labelledby={id}>
      <h3 id={id}>How its rows were read</h3>
      {rules.map(({ name, title, rows, isOn }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={isOn}
            disabled={isDisabled}
            onChange={() => session.readAs({ rulesOff: offAfterSwitching(name, rules) })}
          />
          <span>
            <span>{title}</span>{' '}
            <span className={styles['rows']}>{isOn ? countOf(rows, 'row') : 'Off'}</span>
          </span>
        </label>
      ))}
    </section>
  );
}

/** The rules that are off once this one is switched. */
function offAfterSwitching(name: RuleName, rules: readonly AppliedRule[]): RuleName[] {
  const isOn = (rule: AppliedRule) => (rule.name === name ? !rule.isOn : rule.isOn);
  return rules.filter((rule) => !isOn(rule)).map((rule) => rule.name);
}
