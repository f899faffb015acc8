import type { ProblemCount } from './protocol.ts';
import styles from './problems.module.css';
import { countOf, numberOf } from './words.ts';

/** What is wrong with rows, by reason, those that are left out first. */
export function Problems({ problems }: { readonly problems: readonly ProblemCount[] }) {
  if (problems.length === 0) return null;
  const inOrder = problems.toSorted((a, b) => Number(b.refuses) - Number(a.refuses));
  return (
    <>
      <h3>Problems</h3>
      <ul className={styles['problems']}>
        {inOrder.map((problem) => (
          <Problem key={problem.reason + problem.first.header} problem={problem} />
        ))}
      </ul>
    </>
  );
}

function Problem({ problem }: { readonly problem: ProblemCount }) {
  const { reason, advice, refuses, count, first } = problem;
  return (
    <li data-refuses={refuses}>
      <p className={styles['count']}>
        {countOf(count, 'row')} {refuses ? 'refused' : 'imported with a warning'}
      </p>
      <p className={styles['reason']}>{reason}</p>
      <p>{advice}</p>
      <p className={styles['first']}>
        First on line {numberOf(first.line)}
        {first.header !== null && `, column “${first.header}”`}
        {first.value !== '' && (
          <>
            : <code>{first.value}</code>
          </>
        )}
      </p>
    </li>
  );
}
