import { useState } from 'react';
import { Link } from 'react-router-dom';
import styles from './chips.module.css';
import { filterHref, useFilter } from './filter.ts';

/** A product file may hold a category per row; more chips than these wait behind a button. */
const SHOWN_AT_FIRST = 80;

/** `All` and every category in use; choosing one keeps the search. */
export function Chips({ categories }: { readonly categories: readonly string[] }) {
  const filter = useFilter();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? [...categories] : categories.slice(0, SHOWN_AT_FIRST);
  const { category: chosen } = filter;
  if (chosen !== null && !shown.includes(chosen) && categories.includes(chosen))
    shown.unshift(chosen);

  return (
    <nav className={styles['chips']} aria-label="Categories">
      <ul>
        {[null, ...shown].map((category) => (
          <li key={category ?? ''}>
            <Link
              to={filterHref({ ...filter, category })}
              aria-current={category === chosen ? 'true' : undefined}
            >
              {category ?? 'All'}
            </Link>
          </li>
        ))}
        {shown.length < categories.length && (
          <li>
            <button type="button" onClick={() => setShowsAll(true)}>
              All {categories.length.toLocaleString('en-US')} categories
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}
