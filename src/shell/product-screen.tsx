import { type ComponentType, useLayoutEffect, useState } from 'react';
import { type Location, useLocation } from 'react-router-dom';
import { lazyScreen } from './chunk-boundary.tsx';

/** The module, once it has been loaded; null before. */
let loaded: typeof import('../product/page.tsx') | null = null;

/** Loads the script. `main.tsx` calls this early, so that a tap on a card need not wait. */
export async function loadProductPage() {
  loaded = await import('../product/page.tsx');
  return loaded.ProductDetails;
}

const LazyPage = lazyScreen(loadProductPage);

/** The page of a product. It suspends only until its script has been loaded once. */
export function ProductScreen() {
  // A state, because another component after the script has arrived would mount the page anew.
  const [Page] = useState<ComponentType>(() => loaded?.ProductDetails ?? LazyPage);
  return <Page />;
}

/**
 * The location of the screen to show. It is the router's, except at the start of a transition between a
 * product and the grid: the old screen stays until the transition draws the new one.
 */
export function useShownLocation(): Location {
  const location = useLocation();
  const [shown, setShown] = useState(location);
  // Undefined where the screen changes without a transition.
  const transition = shown === location ? undefined : loaded?.screenTransition(shown, location);

  // Without dependencies, so that the render after `draw` ends the transition.
  useLayoutEffect(() => {
    let isOver = false;
    const draw = () => {
      if (!isOver) setShown(location);
    };
    const end = transition?.(draw);
    return () => {
      isOver = true;
      end?.();
    };
  });

  if (transition) return shown;
  if (shown !== location) setShown(location);
  return location;
}
