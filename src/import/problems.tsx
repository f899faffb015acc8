import type { ProblemCount } from './protocol.ts';
import styles from './problems.module.css';
import { countOf, numberOf } from './words.ts';

/** The problems of the rows by reason; those that reject rows come first. */
export function Problems({ problems }: { readonly problems: readonly ProblemCount[] }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>Problems</h3>
      <ul className={styles['problems']}>
        {problems.map((problem) => (
          <Problem key={problem.reason + problem.first.header} problem={problem} />
        ))}
      </ul>
    </>
  );
}

const FATES = {
  rejected: 'refused',
  replaced: 'replaced',
  warned: 'imported with a warning',
} as const;

function Problem({ problem }: { readonly problem: ProblemCount }) {
  const { reason, advice, fate, count, first } = problem;
  return (
    <li data-rejects={fate === 'rejected'}>
      <p className={styles['count']}>{`${countOf(count, 'row')} ${FATES[fate]}`}</p>
      <p className={styles['reason']}>{reason}</p>
      <p>{advice}</p>
      <p className={styles['first']}>
        <span>
          {`First on line ${numberOf(first.line)}${first.header === null ? '' : `, column “${first.header}”`}`}
        </span>
        {first.value !== '' && (
          <span>
            : <code dir="auto">{first.value}</code>
          </span>
        )}
      </p>
    </li>
  );
}
