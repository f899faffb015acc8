import { useEffect } from 'react';
import { createStore } from '../browser/store.ts';
import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { notify } from '../ui/notices.ts';
import { useStore } from '../ui/use-store.ts';

/** Filters, sorting and their panels: what finds products besides category and search. */
type FindingParts = typeof import('./finding-parts.ts');

const partsStore = createStore<FindingParts | null>(null);
/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 500;

/** The module of these parts; null until it has arrived. */
export function useFindingParts(): FindingParts | null {
  return useStore(partsStore);
}

/** Loads the module. If it does not arrive, a notice says so, with a button to try again. */
export async function loadFindingParts(): Promise<void> {
  if (partsStore.snapshot()) return;
  try {
    partsStore.set(await import('./finding-parts.ts'));
  } catch {
    notify('alert', 'The filters did not arrive. The signal may have been lost.', {
      label: 'Try again',
      run: () => void loadFindingParts(),
    });
  }
}

/**
 * Loads the module at once if `isNeeded`, else when the catalogue is complete and the page is idle. Then reads
 * the index with `readAhead`, so that the first tap on a filter is as fast as later ones.
 */
export function usePrepareParts(catalogue: CatalogueSnapshot | undefined, isNeeded: boolean): void {
  const parts = useFindingParts();
  useEffect(() => {
    if (isNeeded) void loadFindingParts();
  }, [isNeeded]);
  useEffect(() => {
    if (!catalogue?.isComplete) return;
    const prepare = async () => {
      await whenIdle(SAFARI_PAUSE_MS);
      // A failure shows no notice: the user has not asked for the module yet.
      if (!parts) await import('./finding-parts.ts').then(partsStore.set, () => undefined);
      else await parts.readAhead(catalogue.index);
    };
    void prepare();
  }, [catalogue, parts]);
}
