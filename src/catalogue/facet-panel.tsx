import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { countOf } from '../domain/count.ts';
import { type Facet, FACETS, NOTHING_CHOSEN } from '../domain/filter.ts';
import styles from './facet-panel.module.css';
import { FacetValues } from './facet-values.tsx';
import { facetsOf } from './facets-of.ts';
import {
  addressedFilter,
  chosenCount,
  type PageFilter,
  useChangesInARow,
  without,
} from './filter.ts';
import { useBeforeFacets } from './queries.ts';

interface FacetPanelProps {
  readonly id: string;
  /** Null for all facets, in a sheet over the page. */
  readonly facet: Facet | null;
  readonly catalogue: CatalogueSnapshot;
  readonly filter: PageFilter;
  /** How many products the filter finds. */
  readonly foundCount: number;
  readonly close: () => void;
}

/** The values of one facet, below its button, or on a small screen those of all facets, in a sheet. */
export function FacetPanel(props: FacetPanelProps) {
  const { id, facet, catalogue, filter } = props;
  const places = useBeforeFacets(catalogue, filter);
  const facets = facetsOf(catalogue.index);
  // React draws the products first, and the counts after them.
  const chosen = useDeferredValue(filter.chosen);
  const counts = useMemo(() => facets.counts(places, chosen), [facets, places, chosen]);
  const values = useMemo(() => FACETS.map((name) => facets.values(name, places)), [facets, places]);
  const { apply } = useChangesInARow();
  const choose = useCallback(
    (tapped: Facet, value: string, isChosen: boolean) => {
      const others = without(addressedFilter(), tapped, value);
      const withValue = [...others.chosen[tapped], value];
      apply(isChosen ? { ...others, chosen: { ...others.chosen, [tapped]: withValue } } : others);
    },
    [apply],
  );

  const boxesOf = (name: Facet, i: number) => (
    <FacetValues
      key={name}
      facet={name}
      values={values[i] ?? []}
      chosen={chosen[name]}
      counts={counts}
      choose={choose}
    />
  );
  if (facet !== null) {
    return (
      <div id={id} className={styles['below']}>
        {boxesOf(facet, FACETS.indexOf(facet))}
      </div>
    );
  }
  return (
    <Sheet {...props} clear={() => apply({ ...addressedFilter(), chosen: NOTHING_CHOSEN })}>
      {FACETS.map(boxesOf)}
    </Sheet>
  );
}

interface SheetProps extends FacetPanelProps {
  readonly clear: () => void;
  readonly children: React.ReactNode;
}

function Sheet({ id, filter, foundCount, close, clear, children }: SheetProps) {
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
      // Hides Escape from `useDisclosure`: the browser closes the dialog and gives the focus back.
      onKeyDown={(event) => event.stopPropagation()}
      // The target of a tap beside the sheet is the dialog itself.
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
          {foundCount === 0 ? 'Nothing found' : `Show ${countOf(foundCount, 'product')}`}
        </button>
        {/* The page's own count is silent behind the sheet. */}
        <output className="visually-hidden">{countOf(foundCount, 'product')}</output>
      </div>
    </dialog>
  );
}
