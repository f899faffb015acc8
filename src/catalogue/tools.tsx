import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { FACETS, type Facet, PRICE_SORTS } from '../domain/filter.ts';
import { useDisclosure } from '../ui/disclosure.ts';
import {
  addressedFilter,
  chosenCount,
  FACET_NAMES,
  type PageFilter,
  useChangesInARow,
} from './filter.ts';
import { loadFindingParts, useFindingParts } from './finding.ts';
import styles from './tools.module.css';

interface ToolsProps {
  readonly catalogue: CatalogueSnapshot | undefined;
  readonly filter: PageFilter;
  /** How many products the filter finds. */
  readonly foundCount: number;
}

/** Filters and sorting, below the categories. Their panels are loaded later (`finding-parts.ts`). */
export function Tools(props: ToolsProps) {
  const { filter } = props;
  const parts = useFindingParts();
  return (
    <div className={styles['tools']} role="group" aria-label="Filter and sort">
      {[null, ...FACETS].map((facet) => (
        <FacetButton key={facet} facet={facet} {...props} />
      ))}
      <SortField filter={filter} />
      {chosenCount(filter) > 0 && (
        <div className={styles['room']}>{parts && <parts.ChosenFilters filter={filter} />}</div>
      )}
    </div>
  );
}

/** A button for one facet, shown on wide screens, or for all facets (null), shown on narrow ones. */
function FacetButton(props: ToolsProps & { readonly facet: Facet | null }) {
  const { facet, catalogue, filter, foundCount } = props;
  const { isOpen, close, root, button, panelId } = useDisclosure();
  const parts = useFindingParts();
  const name = facet === null ? 'Filters' : FACET_NAMES[facet];
  const count = facet === null ? chosenCount(filter) : filter.chosen[facet].length;
  return (
    <div {...root} className={styles[facet === null ? 'narrow' : 'wide']}>
      <button
        type="button"
        {...button}
        onClick={() => {
          button.onClick();
          void loadFindingParts();
        }}
      >
        <span className={styles['name']}>{name}</span>
        {count > 0 && (
          <span className={styles['count']}>
            <span>{` ${count}`}</span>
            <span className="visually-hidden"> selected</span>
          </span>
        )}
      </button>
      {isOpen && parts && catalogue && (
        <parts.FacetPanel {...{ id: panelId, facet, catalogue, filter, foundCount, close }} />
      )}
    </div>
  );
}

/** Names of the shop's own order and of `PRICE_SORTS`, as options in this sequence. */
const SORT_NAMES = ['New arrivals', 'Price, low to high', 'Price, high to low'];

function SortField({ filter }: { readonly filter: PageFilter }) {
  // In a closed field each press of an arrow key is a change; a tap or a click begins a new choice.
  const { apply, endRow } = useChangesInARow();
  return (
    <label className={styles['sort']}>
      <span className={styles['word']}>Sort</span>
      <select
        name="sort"
        // Not `value`: React would show the old choice again until it draws the sorted products.
        ref={(field) => {
          if (field) field.value = filter.sort ?? '';
        }}
        onChange={({ target }) => {
          const sort = PRICE_SORTS[target.selectedIndex - 1] ?? null;
          apply({ ...addressedFilter(), sort });
        }}
        onBlur={endRow}
        onPointerDown={endRow}
      >
        {[null, ...PRICE_SORTS].map((value, i) => (
          <option key={value} value={value ?? ''}>
            {SORT_NAMES[i]}
          </option>
        ))}
      </select>
    </label>
  );
}
