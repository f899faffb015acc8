import { type ComponentType, lazy, useLayoutEffect, useState } from 'react';
import { type Location, useLocation } from 'react-router-dom';

let loaded: typeof import('../product/page.tsx') | null = null;

/** Loads the script, so that a tap on a card finds it there. */
export async function loadProductPage() {
  loaded = await import('../product/page.tsx');
  return { default: loaded.ProductPage };
}

const LazyPage = lazy(loadProductPage);

/** The page of a product. It suspends only until its script has been loaded once. */
export function ProductScreen() {
  const [Page] = useState<ComponentType>(() => loaded?.ProductPage ?? LazyPage);
  return <Page />;
}

/**
 * The location of the screen to show. It is the router's, but when a product and the grid change places,
 * the old screen stays for the frame in which the browser captures it.
 */
export function useShownLocation(): Location {
  const location = useLocation();
  const [shown, setShown] = useState(location);
  const change = shown === location ? undefined : loaded?.changeOfPlaces(shown, location);

  // After every render: once `draw` has shown the new location, there is no `change` any more.
  useLayoutEffect(() => {
    let isOver = false;
    const draw = () => {
      if (!isOver) setShown(location);
    };
    const end = change?.(draw);
    return () => {
      isOver = true;
      end?.();
    };
  });

  if (change) return shown;
  if (shown !== location) setShown(location);
  return location;
}
