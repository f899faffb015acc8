import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import styles from './chips.module.css';
import { filterHref, useFilter } from './filter.ts';
import { useIsSignedIn } from './queries.ts';

/** The most chips before the user opens all: a product file may have a category per row. */
const SHOWN_AT_FIRST = 80;

/**
 * `All` and every category in use, sorted; choosing one keeps the search. The chips stand in one line
 * that scrolls, and a button shows them all.
 */
export function Chips({ categories }: { readonly categories: readonly string[] }) {
  const filter = useFilter();
  const { category: chosen, onlyFavourites } = filter;
  const isSignedIn = useIsSignedIn();
  const [isLaidOut, setLaidOut] = useState(false);
  const list = useRef<HTMLUListElement>(null);

  const shown = isLaidOut ? [...categories] : categories.slice(0, SHOWN_AT_FIRST);
  if (chosen !== null && !shown.includes(chosen) && categories.includes(chosen)) {
    shown.unshift(chosen);
  }

  useLayoutEffect(() => {
    const line = list.current;
    const chip = line?.querySelector<HTMLElement>('[aria-current]');
    if (line && chip) line.scrollLeft = chip.offsetLeft - (line.clientWidth - chip.offsetWidth) / 2;
  }, [chosen, onlyFavourites, categories]);

  return (
    <nav className={styles['chips']} aria-label="Categories" data-laid-out={isLaidOut}>
      <ul ref={list}>
        {(isSignedIn || onlyFavourites) && (
          <li>
            <Link
              to={filterHref({ ...filter, onlyFavourites: !onlyFavourites })}
              aria-current={onlyFavourites ? 'true' : undefined}
            >
              Favourites
            </Link>
          </li>
        )}
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
      </ul>
      <button type="button" aria-expanded={isLaidOut} onClick={() => setLaidOut(!isLaidOut)}>
        {isLaidOut ? 'Fewer categories' : 'All categories'}
      </button>
    </nav>
  );
}
