import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ACCOUNT_TITLES, type AccountPath, AccountPageArriving } from '../account/page.tsx';
import { FirstProducts } from '../catalogue/first-products.tsx';
import { CataloguePage } from '../catalogue/page.tsx';
import { shopperStore } from '../db/shopper-store.ts';
import { ProductArriving } from '../product/arriving.tsx';
import { Frame } from '../shell/frame.tsx';
import { NotFound } from '../shell/not-found.tsx';

/**
 * The markup of a first visit, which the build renders (netlify/build/first-markup.ts): the catalogue
 * without products, the list from which catalogue/stamp.ts draws products, a product's page without its
 * product, and the screens about signing in without their forms.
 */
export function firstMarkup(): string {
  shopperStore.set(null);
  const screen = (
    <Frame>
      <CataloguePage />
    </Frame>
  );
  const accountPaths = Object.keys(ACCOUNT_TITLES) as AccountPath[]; // ACCOUNT_TITLES has these keys
  return [
    template('first-screen', screen),
    template('first-products', <FirstProducts />),
    template('product-unfilled', <ProductArriving />),
    ...accountPaths.map((path) => template(path, <AccountPageArriving path={path} />)),
  ].join('');
}

/** The page for unknown addresses, which runs no script; its header does not say who is signed in. */
export function notFoundMarkup(): string {
  shopperStore.set(undefined);
  return markup(
    <Frame>
      <NotFound />
    </Frame>,
  );
}

function template(id: string, content: ReactNode): string {
  return `<template id="${id}">${markup(content)}</template>`;
}

function markup(content: ReactNode): string {
  return renderToStaticMarkup(<StaticRouter location="/">{content}</StaticRouter>);
}
