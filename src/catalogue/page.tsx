import { Link } from 'react-router-dom';
import type { BackendFailure } from '../domain/failure.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Chips } from './chips.tsx';
import { type PageFilter, useFilter } from './filter.ts';
import { Grid } from './grid.tsx';
import { tryAgain } from './mutations.ts';
import styles from './page.module.css';
import { useCatalogue, useCategories, useFound } from './queries.ts';
import { SearchField } from './search-field.tsx';
import { ShareView } from './share-view.tsx';

const HEADING = 'New Arrivals';

/** The catalogue, `/`. */
export function CataloguePage() {
  const catalogue = useCatalogue();
  const filter = useFilter();
  const found = useFound(catalogue, filter, filter.onlyFavourites);
  const categories = useCategories(catalogue);
  const isComplete = catalogue?.isComplete ?? false;
  const failure = isComplete ? null : (catalogue?.failure ?? null);

  const isLoading = !isComplete && !failure && found.length === 0;
  const isEmpty = isComplete && found.length === 0;

  return (
    <>
      <div className={styles['head']}>
        <PageTitle tab={filter.category ?? HEADING}>{HEADING}</PageTitle>
        <div className={styles['search']}>
          <SearchField id="catalogue-search" />
        </div>
        {/* Always in the document: screen readers skip a live region that arrives with its text. */}
        <output className={styles['count']}>
          {isLoading && 'Loading products...'}
          {found.length > 0 && countOf(found.length)}
        </output>
        <ShareView />
      </div>
      <Chips categories={categories} />
      {catalogue && found.length > 0 && <Grid index={catalogue.index} found={found} />}
      {/* In the place of the products: above them it would move what is already there. */}
      <output className={styles['empty']}>{isEmpty && emptyText(filter)}</output>
      {isEmpty && (
        <p className={styles['wayOut']}>
          <Link to="/">Show all products</Link>
        </p>
      )}
      {isLoading && <Skeleton />}
      {failure && (
        <ErrorBox action={{ label: 'Try again', run: () => void tryAgain() }}>
          {textOf(failure)}
        </ErrorBox>
      )}
    </>
  );
}

function Skeleton() {
  return (
    <div className={styles['skeleton']} data-skeleton aria-hidden="true">
      {Array.from({ length: 10 }, (_, i) => (
        <div key={i} />
      ))}
    </div>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 product' : `${count.toLocaleString('en-US')} products`;
}

/** Spec, section 2: the chosen category, plus the search term if any. */
function emptyText({ category, search, onlyFavourites }: PageFilter): string {
  const place = onlyFavourites
    ? ['Favourites', category].filter(Boolean).join(', ')
    : (category ?? 'All');
  return search.trim() === ''
    ? `No products found for ${place}.`
    : `No products found for ${place} matching “${search.trim()}”.`;
}

/** Spec, section 8. */
function textOf(failure: BackendFailure): string {
  return failure.kind === 'rejected' && failure.message !== null
    ? `Failed to load products: ${failure.message}`
    : 'An unexpected error occurred while fetching products.';
}
