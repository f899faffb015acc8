import { memo, useState } from 'react';
import { formatCount } from '../domain/count.ts';
import type { Counts } from '../domain/facets.ts';
import type { Facet } from '../domain/filter.ts';
import { fold } from '../domain/search.ts';
import { compareInEnglish, compareSizes } from '../domain/sizes.ts';
import styles from './facet-panel.module.css';
import { facetValueWords } from './facet-words.ts';
import { FACET_NAMES } from './filter.ts';

/** How many values are offered at once; a search finds the others. */
const MOST_OFFERED = 30;

interface FacetValuesProps {
  readonly facet: Facet;
  /** The values that the products have, the most frequent first. */
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly counts: Counts;
  /** Must be the same function each time. After a tap `memo` then skips the render before `chosen` follows. */
  readonly choose: (facet: Facet, value: string, isChosen: boolean) => void;
}

/** The values of a facet as check boxes, with how many products each would leave. */
export const FacetValues = memo(function FacetValues(props: FacetValuesProps) {
  const { facet, values, chosen, counts, choose } = props;
  const [typed, setTyped] = useState('');
  const term = fold(typed.trim());
  const matching = term === '' ? values : values.filter((value) => fold(value).includes(term));
  // Chosen values stay, even if no product on screen has them any more.
  const offered = [...new Set([...chosen, ...matching.slice(0, MOST_OFFERED)])].sort(
    COMPARE[facet],
  );

  return (
    <fieldset className={styles['facet']}>
      <legend>{FACET_NAMES[facet]}</legend>
      {values.length > MOST_OFFERED && (
        <input
          type="search"
          placeholder={`Search ${formatCount(values.length)} ${facet}s`}
          aria-label={`Search ${facet}s`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <div className={facet === 'size' ? styles['sizes'] : undefined}>
        {offered.map((value) => (
          <label key={value}>
            <input
              type="checkbox"
              // Not `checked`: the browser ticks the box at once, and `chosen` follows with the products.
              ref={(box) => {
                if (box) box.checked = chosen.includes(value);
              }}
              onChange={({ target }) => choose(facet, value, target.checked)}
            />
            <bdi>{facetValueWords(facet, value)}</bdi>{' '}
            <small>{formatCount(counts(facet, value))}</small>
          </label>
        ))}
      </div>
      {offered.length === 0 && (
        <p>{term === '' ? `None of these products lists a ${facet}.` : `No ${facet}s match.`}</p>
      )}
    </fieldset>
  );
});

/** The lower end of a range of prices; 0 for `-50`. */
const lowestOf = (range: string) => Number(range.split('-')[0]);

const COMPARE: Readonly<Record<Facet, (a: string, b: string) => number>> = {
  size: compareSizes,
  price: (a, b) => lowestOf(a) - lowestOf(b),
  material: compareInEnglish,
};
