import { useEffect } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { siteUrl } from '../ui/use-head.ts';

/** Longer than the pause between two letters or scrolls, so that typing and scrolling stay fast. */
const PAUSE_MS = 1000;

/**
 * Keeps structured data in the document's head for the products on screen. These are the places in `found`
 * from index `first` on, up to but without `end`.
 */
export function useStructuredData(
  index: CatalogueIndex,
  found: readonly number[],
  first: number,
  end: number,
): void {
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isRemoved = false;
    const add = async () => {
      const loaded = await import('./structured-data.ts').catch(() => null);
      if (isRemoved || !loaded) return;
      const listed = found.slice(first, end).flatMap((place, i) => {
        const product = index.at(place);
        return product ? [{ product, position: first + i + 1 }] : [];
      });
      remove = loaded.addStructuredData(loaded.structuredData(listed, siteUrl()));
    };
    const timer = setTimeout(() => void add(), PAUSE_MS);
    return () => {
      isRemoved = true;
      clearTimeout(timer);
      remove?.();
    };
  }, [index, found, first, end]);
}
