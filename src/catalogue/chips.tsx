import { Link } from 'react-router-dom';
import styles from './chips.module.css';
import { filterHref, useFilter } from './filter.ts';

/** `All` and every category in use; choosing one keeps the search. */
export function Chips({ categories }: { readonly categories: readonly string[] }) {
  const filter = useFilter();
  return (
    <nav className={styles['chips']} aria-label="Categories">
      <ul>
        {[null, ...categories].map((category) => (
          <li key={category ?? ''}>
            <Link
              to={filterHref({ ...filter, category })}
              aria-current={category === filter.category ? 'true' : undefined}
            >
              {category ?? 'All'}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
