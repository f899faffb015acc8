import { memo, useState } from 'react';
import type { Counts } from '../domain/facets.ts';
import type { Facet } from '../domain/filter.ts';
import { fold } from '../domain/search.ts';
import { compareSizes } from '../domain/sizes.ts';
import styles from './facet-panel.module.css';
import { wordsOf } from './facet-words.ts';
import { FACET_NAMES } from './filter.ts';

/** How many values are offered at once; a search finds the others. */
const MOST_OFFERED = 30;

interface FacetValuesProps {
  readonly facet: Facet;
  /** The values that the products have, the most frequent first. */
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly counts: Counts;
  /** The same function each time, so that `memo` skips a tap's first render, before the deferred `chosen`. */
  readonly choose: (facet: Facet, value: string, isChosen: boolean) => void;
}

/** The values of a facet as check boxes, with how many products each would leave. */
export const FacetValues = memo(function FacetValues(props: FacetValuesProps) {
  const { facet, values, chosen, counts, choose } = props;
  const [typed, setTyped] = useState('');
  const wanted = fold(typed.trim());
  const found = wanted === '' ? values : values.filter((value) => fold(value).includes(wanted));
  // Chosen values stay, even if no product on screen has them any more.
  const offered = [...new Set([...chosen, ...found.slice(0, MOST_OFFERED)])];
  if (facet !== 'price') offered.sort(facet === 'size' ? compareSizes : compareTexts);

  return (
    <fieldset className={styles['facet']}>
      <legend>{FACET_NAMES[facet]}</legend>
      {values.length > MOST_OFFERED && (
        <input
          type="search"
          placeholder={`Search ${values.length.toLocaleString('en-US')} ${facet}s`}
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
            <span>{wordsOf(facet, value)}</span>{' '}
            <small>{counts(facet, value).toLocaleString('en-US')}</small>
          </label>
        ))}
      </div>
      {offered.length === 0 && <p>None of these products names a {facet}.</p>}
    </fieldset>
  );
});

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true });
