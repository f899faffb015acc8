import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import styles from './chips.module.css';
import { filterHref, useFilter } from './filter.ts';
import { loadFinding, useFinding } from './finding.ts';
import { useCatalogue } from './queries.ts';

/** The most chips in the line: a product file may have a category per row. */
const SHOWN_IN_LINE = 80;

/**
 * `All` and every category in use, sorted; choosing one keeps the search and the filters. The chips stand
 * in one line that scrolls, and a button shows all of them, grouped.
 */
export function Chips({ categories }: { readonly categories: readonly string[] }) {
  const catalogue = useCatalogue();
  const filter = useFilter();
  const finding = useFinding();
  const { category: chosen, onlyFavourites } = filter;
  /** The category with which the user opened the groups: they close when another one is chosen. */
  const [openedAt, setOpenedAt] = useState<string | null | undefined>(undefined);
  if (openedAt !== undefined && openedAt !== chosen) setOpenedAt(undefined);
  const isOpen = openedAt === chosen;
  const wasOpen = useRef(false);
  const list = useRef<HTMLUListElement>(null);

  const groups = isOpen && catalogue ? finding : null;
  const shown = groups ? [] : categories.slice(0, SHOWN_IN_LINE);
  if (!groups && chosen !== null && !shown.includes(chosen) && categories.includes(chosen)) {
    shown.unshift(chosen);
  }

  useLayoutEffect(() => {
    const line = list.current;
    const chip = line?.querySelector<HTMLElement>('[aria-current]');
    if (line && chip) line.scrollLeft = chip.offsetLeft - (line.clientWidth - chip.offsetWidth) / 2;
    // The link that had the focus has gone with the groups.
    if (wasOpen.current && document.activeElement === document.body) {
      chip?.focus({ preventScroll: true });
    }
    wasOpen.current = isOpen;
  }, [chosen, onlyFavourites, categories, isOpen]);

  return (
    <nav className={styles['chips']} aria-label="Categories">
      <ul ref={list}>
        {[null, ...shown].map((category) => (
          <li key={category ?? ''}>
            <Link
              // All are not the favourites only.
              to={filterHref({
                ...filter,
                category,
                onlyFavourites: category !== null && onlyFavourites,
              })}
              aria-current={
                category === chosen && (category !== null || !onlyFavourites) ? 'true' : undefined
              }
            >
              {category ?? 'All'}
            </Link>
          </li>
        ))}
      </ul>
      {categories.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            setOpenedAt(isOpen ? undefined : chosen);
            void loadFinding();
          }}
        >
          {isOpen ? 'Fewer categories' : 'All categories'}
        </button>
      )}
      {groups && catalogue && <groups.CategoryGroups {...{ catalogue, categories, filter }} />}
    </nav>
  );
}
