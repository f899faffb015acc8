import { useMemo } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Link } from '../ui/link.tsx';
import { focusHeading } from '../ui/page-title.tsx';
import { filterHref, type PageFilter } from './filter.ts';
import { suggestionFor } from './suggestion.ts';

interface DidYouMeanProps {
  readonly index: CatalogueIndex;
  /** A filter that finds nothing. */
  readonly filter: PageFilter;
}

/** A link to the search that the shopper may have meant. */
export function DidYouMean({ index, filter }: DidYouMeanProps) {
  const search = useMemo(() => suggestionFor(index, filter), [index, filter]);
  if (search === null) return null;
  return (
    <p>
      Did you mean{' '}
      <Link to={filterHref({ ...filter, search })} onClick={focusHeading}>
        {search}
      </Link>
      ?
    </p>
  );
}
