import { useEffect } from 'react';
import { createStore } from '../browser/store.ts';
import { whenIdle } from '../browser/when-idle.ts';
import type { CatalogueSnapshot } from '../db/catalogue-store.ts';
import { notify } from '../ui/notices.ts';
import { useStore } from '../ui/use-store.ts';

/** What finds products beyond category and search, with its panels. */
export type FindingParts = typeof import('./finding-parts.ts');

const parts = createStore<FindingParts | null>(null);
/** Safari cannot say when a page is idle. */
const OTHERWISE_MS = 500;

/** The script of filters and orders; null until it has arrived. */
export function useFinding(): FindingParts | null {
  return useStore(parts);
}

/** Loads the script. If it does not arrive, a notice says so, with a button to try again. */
export async function loadFinding(): Promise<void> {
  if (parts.snapshot()) return;
  try {
    parts.set(await import('./finding-parts.ts'));
  } catch {
    notify('alert', 'The filters did not arrive. The signal may have been lost.', {
      label: 'Try again',
      run: () => void loadFinding(),
    });
  }
}

/**
 * Prepares filters and orders while the page is idle, so that the first tap on one is as fast as the
 * others. What `isNeeded` now is loaded at once.
 */
export function useFindingAhead(catalogue: CatalogueSnapshot | undefined, isNeeded: boolean): void {
  const finding = useFinding();
  useEffect(() => {
    if (isNeeded) void loadFinding();
  }, [isNeeded]);
  useEffect(() => {
    if (!catalogue?.isComplete) return;
    const ahead = async () => {
      await whenIdle(OTHERWISE_MS);
      // Without a notice: nobody has asked for it yet.
      if (!finding) await import('./finding-parts.ts').then(parts.set, () => undefined);
      else await finding.readAhead(catalogue.index);
    };
    void ahead();
  }, [catalogue, finding]);
}
