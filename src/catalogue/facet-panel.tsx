import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { type Facet, FACETS, NOTHING_CHOSEN } from '../domain/filter.ts';
import { countOf } from './count-of.ts';
import styles from './facet-panel.module.css';
import { FacetValues } from './facet-values.tsx';
import { facetsOf } from './facets-of.ts';
import { addressedFilter, chosenCount, filterHref, type PageFilter } from './filter.ts';
import { useBeforeFacets } from './queries.ts';
import { without } from './without.ts';

interface FacetPanelProps {
  readonly id: string;
  /** Null for all of them, in a sheet over the page. */
  readonly facet: Facet | null;
  readonly catalogue: CatalogueSnapshot;
  readonly filter: PageFilter;
  /** How many products the filter finds. */
  readonly found: number;
  readonly close: () => void;
}

/** The values of one facet below its button or, on a small screen, of all in a sheet. */
export function FacetPanel(props: FacetPanelProps) {
  const { id, facet, catalogue, filter } = props;
  const navigate = useNavigate();
  const places = useBeforeFacets(catalogue, filter);
  const facets = facetsOf(catalogue.index);
  // The products come first, and then the counts.
  const chosen = useDeferredValue(filter.chosen);
  const counts = useMemo(() => facets.counts(places, chosen), [facets, places, chosen]);
  const values = useMemo(() => FACETS.map((each) => facets.values(each, places)), [facets, places]);
  /** The first change adds a history entry, later ones replace that: Back undoes what one visit here did. */
  const hasChanged = useRef(false);
  const show = useCallback(
    (next: PageFilter) => {
      void navigate(filterHref(next), { replace: hasChanged.current });
      hasChanged.current = true;
    },
    [navigate],
  );
  const choose = useCallback(
    (of: Facet, value: string, isChosen: boolean) => {
      const others = without(addressedFilter(), of, value);
      const all = isChosen ? [...others.chosen[of], value] : others.chosen[of];
      show({ ...others, chosen: { ...others.chosen, [of]: all } });
    },
    [show],
  );

  const valuesOf = (of: Facet, i: number) => (
    <FacetValues
      key={of}
      facet={of}
      values={values[i] ?? []}
      chosen={chosen[of]}
      counts={counts}
      choose={choose}
    />
  );
  if (facet !== null) {
    return (
      <div id={id} className={styles['below']}>
        {valuesOf(facet, FACETS.indexOf(facet))}
      </div>
    );
  }
  return (
    <Sheet {...props} clear={() => show({ ...addressedFilter(), chosen: NOTHING_CHOSEN })}>
      {FACETS.map(valuesOf)}
    </Sheet>
  );
}

interface SheetProps extends FacetPanelProps {
  readonly clear: () => void;
  readonly children: React.ReactNode;
}

function Sheet({ id, filter, found, close, clear, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const closeDialog = () => dialog.current?.close();

  return (
    <dialog
      ref={dialog}
      id={id}
      className={styles['sheet']}
      aria-labelledby={`${id}-heading`}
      onClose={close}
      // The browser closes it for Escape, and then gives the focus back.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) closeDialog();
      }}
    >
      <div className={styles['head']}>
        <h2 id={`${id}-heading`}>Filters</h2>
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </div>
      <div className={styles['body']}>{children}</div>
      <div className={styles['foot']}>
        {chosenCount(filter) > 0 && (
          <button type="button" className="quiet" onClick={clear}>
            Clear all
          </button>
        )}
        <button type="button" className="button" onClick={closeDialog}>
          {found === 0 ? 'Nothing found' : `Show ${countOf(found)}`}
        </button>
        {/* The page's own count is silent behind the sheet. */}
        <output className="visually-hidden">{countOf(found)}</output>
      </div>
    </dialog>
  );
}
