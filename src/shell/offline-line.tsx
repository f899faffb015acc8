import { useEffect, useLayoutEffect } from 'react';
import { shopperStore } from '../db/shopper-store.ts';
import { countOf } from '../domain/count.ts';
import { announce } from '../ui/notices.ts';
import { useOnline } from '../ui/online.ts';
import { useSelected } from '../ui/use-store.ts';
import styles from './offline-line.module.css';
import { forgetOffline, offlineSince } from './offline-since.ts';

/**
 * Says since when there is no network, and how many changes wait for the network. A start without a network keeps
 * room for this line from the first frame (`index.html` sets `data-offline`), so that nothing moves later. In the
 * middle of a visit the browser keeps a scrolled page in its place (scroll anchoring).
 */
export function OfflineLine() {
  const isOnline = useOnline();
  const unsaved = useSelected(shopperStore, (view) => view?.unsaved ?? 0);
  const since = isOnline ? null : offlineSince();

  // With the line the header is higher, so what sticks below it starts lower (ui/tokens.css).
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-offline', !isOnline);
  }, [isOnline]);

  useEffect(() => {
    if (isOnline) forgetOffline();
    // Only this sentence: the number in the line changes with every tap, and taps are announced themselves.
    // The pages of staff change nothing while they are offline.
    else announce(`You’re offline.${location.pathname.startsWith('/admin/') ? '' : KEPT}`);
  }, [isOnline]);

  if (since === null) return null;
  return (
    // `data-passing`: the first screen that is kept for the next start leaves it out.
    <p className={styles['line']} data-passing>
      {`Offline since ${since}.${waitingText(unsaved)}`}
    </p>
  );
}

const KEPT = ' We’ll keep your changes on this device and save them later.';

function waitingText(unsaved: number): string {
  if (unsaved === 0) return '';
  return ` ${countOf(unsaved, 'change')} not saved yet.`;
}
