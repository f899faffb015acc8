import { memo, startTransition, useLayoutEffect, useOptimistic, useRef, useState } from 'react';
import styles from './chips.module.css';
import { filterHref, useFilter } from './filter.ts';
import { Link } from '../ui/link.tsx';

/** The most categories in the line: a product file may have one for each row. */
const MOST_IN_LINE = 80;

/**
 * Links to `All` and to the first categories in use, sorted; a category's link keeps the rest of the filter.
 * The links stand in one line that scrolls. A button shows all categories, in several lines.
 */
export function Chips({ categories }: { readonly categories: readonly string[] }) {
  const filter = useFilter();
  const { category: chosen, onlyFavourites } = filter;
  // The chip that is shown as chosen: null for `All`, undefined for none. React draws a tapped one at once, and its
  // products in a transition.
  const [shownChosen, showChosen] = useOptimistic(chosen ?? (onlyFavourites ? undefined : null));
  /** The category (null: `All`) at which the user opened all; undefined while there is one line. */
  const [openedAt, setOpenedAt] = useState<string | null | undefined>(undefined);
  // Choosing another category closes them.
  if (openedAt !== undefined && openedAt !== chosen) setOpenedAt(undefined);
  const isOpen = openedAt === chosen;
  const list = useRef<HTMLUListElement>(null);

  // The chips beside `All`: the first ones, and the chosen one if it exists.
  const shown = isOpen ? [...categories] : categories.slice(0, MOST_IN_LINE);
  if (chosen !== null && !shown.includes(chosen) && categories.includes(chosen)) {
    shown.unshift(chosen);
  }

  useLayoutEffect(() => {
    // The chosen chip stands in the middle of the line.
    const line = list.current;
    const chip = line?.querySelector<HTMLElement>('[aria-current]');
    if (line && chip) line.scrollLeft = chip.offsetLeft - (line.clientWidth - chip.offsetWidth) / 2;
  }, [shownChosen, categories, isOpen]);

  return (
    <nav className={styles['chips']} aria-label="Categories">
      <ul ref={list} data-open={isOpen}>
        {[null, ...shown].map((category) => (
          <li key={category ?? ''}>
            <Chip
              category={category}
              // `All` also ends the filter for favourites.
              to={filterHref({
                ...filter,
                category,
                onlyFavourites: category !== null && onlyFavourites,
              })}
              isChosen={category === shownChosen}
              onChosen={showChosen}
            />
          </li>
        ))}
      </ul>
      {categories.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpenedAt(isOpen ? undefined : chosen)}
        >
          {isOpen ? 'Fewer categories' : 'All categories'}
        </button>
      )}
    </nav>
  );
}

interface ChipProps {
  /** Null for `All`. */
  readonly category: string | null;
  readonly to: string;
  readonly isChosen: boolean;
  /** Called in a transition. */
  readonly onChosen: (category: string | null) => void;
}

/** Memoised, so that a tap draws two chips at once and not all. */
const Chip = memo(function Chip({ category, to, isChosen, onChosen }: ChipProps) {
  return (
    <Link
      className="thread"
      to={to}
      onFollow={() => startTransition(() => onChosen(category))}
      aria-current={isChosen ? 'true' : undefined}
      dir="auto"
    >
      {category ?? 'All'}
    </Link>
  );
});
