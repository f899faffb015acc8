import { useEffect, useLayoutEffect } from 'react';
import { connection } from '../db/connection.ts';
import { isCheckout } from '../domain/routes.ts';
import { noticeStore, notify } from '../ui/notices.ts';
import { sessionKey, takeText } from '../ui/storage-key.ts';

const isCheckoutDocument = isCheckout(location.pathname);

/** Where what is being told waits for the other document. */
const key = sessionKey('weft-notice');

/**
 * `/checkout` is a document of its own, whose headers alone let the payment providers' scripts in:
 * who goes there or leaves has the page loaded anew, at the address that the router has set.
 *
 * @returns whether another document is on its way
 */
export function useCheckoutDocument(path: string): boolean {
  const isLeaving =
    isCheckout(path) !== isCheckoutDocument &&
    // What is kept in memory only would be lost. A card can be paid with in either document.
    connection.kept !== 'memory';
  useEffect(announceCarried, []);
  useLayoutEffect(() => {
    if (!isLeaving) return;
    // At the very end: whoever sends a shopper elsewhere may say why only afterwards.
    window.addEventListener('pagehide', carryNotice, { once: true });
    location.reload();
  }, [isLeaving]);
  return isLeaving;
}

/** The words and how urgent they are. What could be done about them ends with this document. */
function carryNotice(): void {
  const notice = noticeStore.snapshot();
  if (notice) key.write(`${notice.role} ${notice.text}`);
}

function announceCarried(): void {
  const [role, ...words] = takeText(key)?.split(' ') ?? [];
  if (role === 'alert' || role === 'status') notify(role, words.join(' '));
}
