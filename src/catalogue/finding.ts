import { useEffect, useMemo } from 'react';
import { createStore } from '../browser/store.ts';
import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { notify } from '../ui/notices.ts';
import { useStore } from '../ui/use-store.ts';
import { chosenCount, type PageFilter } from './filter.ts';
import { useBeforeFacets } from './queries.ts';

/** Filters, sorting and their panels: what finds products besides category and search. */
type FindingParts = typeof import('./finding-parts.ts');

const partsStore = createStore<FindingParts | null>(null);
/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 500;

/** The module of these parts; null until it has arrived. */
export function useFindingParts(): FindingParts | null {
  return useStore(partsStore);
}

/** @throws when the module does not arrive */
async function loadParts(): Promise<void> {
  partsStore.set(await import('./finding-parts.ts'));
}

/** Loads the module. If it does not arrive, a notice says so, with a button to try again. */
export async function loadFindingParts(): Promise<void> {
  if (partsStore.snapshot()) return;
  try {
    await loadParts();
  } catch {
    notify('alert', 'The filters didn’t load. Check your connection.', {
      label: 'Try again',
      run: () => void loadFindingParts(),
    });
  }
}

/**
 * Places in the index that match the whole filter, in the order that the filter names; undefined while the filter
 * needs the module and it has not arrived.
 *
 * Loads the module at once if the filter needs it, else when the catalogue is complete and the page is idle. Then
 * reads the index with `readAhead`, so that the first tap on a filter is as fast as later ones.
 */
export function useFound(
  catalogue: CatalogueSnapshot | undefined,
  filter: PageFilter,
): readonly number[] | undefined {
  const places = useBeforeFacets(catalogue, filter);
  const parts = useFindingParts();
  const { chosen, sort } = filter;
  const isNarrowed = sort !== null || chosenCount(filter) > 0;
  useEffect(() => {
    if (isNarrowed) void loadFindingParts();
  }, [isNarrowed]);
  useEffect(() => {
    if (!catalogue?.isComplete) return;
    const prepare = async () => {
      await whenIdle(SAFARI_PAUSE_MS);
      // When the module arrives, this effect runs again. A failure shows no notice: the user has not asked for it yet.
      if (!parts) await loadParts().catch(() => undefined);
      else await parts.readAhead(catalogue.index);
    };
    void prepare();
  }, [catalogue, parts]);
  return useMemo(() => {
    if (!isNarrowed || !catalogue) return places;
    return parts?.facetsOf(catalogue.index).narrow(places, chosen, sort);
  }, [catalogue, places, parts, isNarrowed, chosen, sort]);
}
