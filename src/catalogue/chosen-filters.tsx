import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { FACETS, NOTHING_CHOSEN } from '../domain/filter.ts';
import { focusHeading } from '../ui/page-title.tsx';
import { facetValueWords } from './facet-words.ts';
import { addressedFilter, filterHref, type PageFilter, without } from './filter.ts';
import styles from './tools.module.css';

/** The chosen sizes, prices and materials: a button that removes each of them, and one for all. */
export function ChosenFilters({ filter }: { readonly filter: PageFilter }) {
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  const { chosen } = filter;
  const all = FACETS.flatMap((facet) => chosen[facet].map((value) => ({ facet, value })));

  function remove(index: number) {
    const { facet, value } = all[index]!; // one of the buttons below
    // The focused button is about to disappear, so the focus moves to the next button, or from the last to the
    // one before it.
    const isLast = index === all.length - 1;
    const neighbour = isLast ? index - 1 : index + 1;
    if (all.length === 1) focusHeading();
    else list.current?.querySelectorAll('button')[neighbour]?.focus();
    void navigate(filterHref(without(addressedFilter(), facet, value)));
  }

  function clear() {
    focusHeading();
    void navigate(filterHref({ ...addressedFilter(), chosen: NOTHING_CHOSEN }));
  }

  return (
    <ul ref={list} className={styles['chosen']} aria-label="Selected filters">
      {all.map(({ facet, value }, index) => (
        <li key={`${facet} ${value}`}>
          <button type="button" className="quiet" onClick={() => remove(index)}>
            <span className="visually-hidden">{`Remove ${facet} `}</span>
            <bdi>{facetValueWords(facet, value)}</bdi>
            <span aria-hidden="true"> ×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" onClick={clear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
