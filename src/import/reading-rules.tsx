import { useId } from 'react';
import styles from './reading-rules.module.css';
import { type CheckState, findingOf } from './session-state.ts';
import { countOf } from './words.ts';

/** The rules by which this file was read. */
export function ReadingRules({ check }: { readonly check: CheckState }) {
  const id = useId();
  const finding = findingOf(check);
  if (finding.kind !== 'checked' || finding.check.rules.length === 0) return null;
  return (
    <section className={styles['rules']} aria-labelledby={id}>
      <h3 id={id}>How its rows were read</h3>
      {finding.check.rules.map(({ title, rows }) => (
        <p key={title}>
          <span>{title}</span> <span className={styles['rows']}>{countOf(rows, 'row')}</span>
        </p>
      ))}
    </section>
  );
}
