import { countOf } from '../domain/count.ts';
import type { BackendFailure } from '../domain/failure.ts';
import { isolated } from '../domain/isolated.ts';
import { Link } from '../ui/link.tsx';
import { ErrorBox } from '../ui/error-box.tsx';
import { focusHeading, PageTitle } from '../ui/page-title.tsx';
import { Chips } from './chips.tsx';
import { ALL, filterHref, type PageFilter, useFilter } from './filter.ts';
import { useFindingParts, useFound } from './finding.ts';
import { Grid } from './grid.tsx';
import { fetchCatalogue } from './mutations.ts';
import styles from './page.module.css';
import { useCatalogue, useCategories } from './queries.ts';
import { SearchField } from './search-field.tsx';
import { Skeleton } from './skeleton.tsx';
import { Tools } from './tools.tsx';

const HEADING = 'New Arrivals';
const NONE: readonly number[] = [];

/** The catalogue, `/`. */
export function CataloguePage() {
  const catalogue = useCatalogue();
  const filter = useFilter();
  const parts = useFindingParts();
  const matching = useFound(catalogue, filter);
  const categories = useCategories(catalogue);
  const isComplete = Boolean(catalogue?.isComplete && matching);
  const failure = catalogue?.isComplete ? null : (catalogue?.failure ?? null);

  // In the order of prices, products that arrive later would push the shown ones aside.
  const isTooEarly = filter.sort !== null && !isComplete && !failure;
  const found = (isTooEarly ? null : matching) ?? NONE;
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
          {isLoading ? 'Loading products...' : found.length > 0 && countOf(found.length, 'product')}
        </output>
      </div>
      <Chips categories={categories} />
      <Tools catalogue={catalogue} filter={filter} foundCount={found.length} />
      {catalogue && found.length > 0 && <Grid index={catalogue.index} found={found} />}
      <div className={isEmpty ? styles['empty'] : undefined}>
        {/* The text stands where the products would be: above the chips it would push them down. */}
        <output>{isEmpty && emptyText(filter)}</output>
        {isEmpty && (
          <Link to="/" onClick={focusHeading}>
            Show all products
          </Link>
        )}
        {isEmpty && catalogue && parts && (
          <parts.NothingFound index={catalogue.index} filter={filter} />
        )}
      </div>
      {isComplete && filter.onlyFavourites && parts && <parts.GoneFavourites />}
      {isLoading && <Skeleton />}
      {failure && (
        <ErrorBox action={{ label: 'Try again', run: () => void fetchCatalogue() }}>
          {failureText(failure)}
        </ErrorBox>
      )}
    </>
  );
}

/** Spec, section 2: the chosen category, plus the search term if any. */
function emptyText(filter: PageFilter): string {
  const { category, search, onlyFavourites } = filter;
  // The address while nothing else filters. It keeps the sort order, which hides no product.
  const favourites = filterHref({ ...ALL, onlyFavourites, sort: filter.sort });
  if (onlyFavourites && filterHref(filter) === favourites) {
    return 'No favourites yet. Tap the heart on anything you like.';
  }
  const name = category && isolated(category);
  const place = onlyFavourites ? ['Favourites', name].filter(Boolean).join(', ') : (name ?? 'All');
  return search.trim() === ''
    ? `No products found for ${place}.`
    : `No products found for ${place} matching “${isolated(search.trim())}”.`;
}

/** Spec, section 8. */
function failureText(failure: BackendFailure): string {
  return failure.kind === 'rejected' && failure.message !== null
    ? `Failed to load products: ${failure.message}`
    : 'An unexpected error occurred while fetching products.';
}
