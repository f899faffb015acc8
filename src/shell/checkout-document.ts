import { useEffect, useLayoutEffect } from 'react';
import { connection } from '../db/connection.ts';
import { isCheckout } from '../domain/routes.ts';
import { noticeStore, notify } from '../ui/notices.ts';
import { sessionKey, takeText } from '../browser/storage-key.ts';

const isCheckoutDocument = isCheckout(location.pathname);

/** Where the notice on screen is stored for the next document. */
const noticeKey = sessionKey('weft-notice');

/**
 * `/checkout` is a document of its own, whose headers alone allow the payment providers' scripts. When
 * the user goes there or leaves it, the page reloads at the address that the router has set.
 *
 * @returns whether the page is about to load another document
 */
export function useCheckoutDocument(path: string): boolean {
  const isLeaving =
    isCheckout(path) !== isCheckoutDocument &&
    // A reload would lose data that are only in memory. Paying by card works in either document.
    connection.kept !== 'memory';
  useEffect(announceCarried, []);
  useLayoutEffect(() => {
    if (!isLeaving) return;
    // The notice is not stored before `pagehide`: the code that navigates may call `notify` after this effect.
    window.addEventListener('pagehide', carryNotice, { once: true });
    location.reload();
  }, [isLeaving]);
  return isLeaving;
}

/** Stores the notice's role and text. Its action would not work in another document. */
function carryNotice(): void {
  const notice = noticeStore.snapshot();
  if (notice) noticeKey.write(`${notice.role} ${notice.text}`);
}

function announceCarried(): void {
  const [role, ...words] = takeText(noticeKey)?.split(' ') ?? [];
  if (role === 'alert' || role === 'status') notify(role, words.join(' '));
}
