import { lazy, Suspense } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { Hanger } from '../ui/empty.tsx';
import type { PageFilter } from './filter.ts';

interface NothingFoundProps {
  readonly index: CatalogueIndex;
  /** A filter that finds nothing. */
  readonly filter: PageFilter;
}

/** Loaded when nothing was found. Without its script the link to all products is enough. */
const DidYouMean = lazy(() =>
  import('./did-you-mean.tsx').then(
    ({ DidYouMean: Loaded }) => ({ default: Loaded }),
    () => ({ default: () => null }),
  ),
);

/** A hanger, and a link to what the shopper may have meant. */
export function NothingFound(props: NothingFoundProps) {
  return (
    <>
      <Hanger />
      <Suspense fallback={null}>
        <DidYouMean {...props} />
      </Suspense>
    </>
  );
}
