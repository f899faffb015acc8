import { useEffect } from 'react';
import type { Location } from 'react-router-dom';
import { isProduct } from '../domain/routes.ts';

/**
 * Sets the page's title, also for previews of a shared address. React's own `<title>` element would leave the
 * page without a title between two screens.
 */
export function nameTab(title: string): void {
  document.title = title;
  document
    .querySelector<HTMLMetaElement>('meta[property="og:title"]')
    ?.setAttribute('content', title);
}

/**
 * Updates the description and the canonical address when the address changes. A product sets its own.
 *
 * @param location of the page on screen
 */
export function useHead({ pathname, search }: Location): void {
  useEffect(() => {
    if (isProduct(pathname)) return undefined;
    let isLeft = false;
    // Nothing on screen waits for this module. Without it the head describes the shop.
    void import('./page-head.ts').then(
      ({ headOf, setHead }) => isLeft || setHead(headOf(pathname, search), siteUrl()),
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [pathname, search]);
}

/** The shop's main address. Deploys have others, under which search engines must not list pages. */
export function siteUrl(): string {
  return import.meta.env.VITE_SITE_URL || location.origin;
}
