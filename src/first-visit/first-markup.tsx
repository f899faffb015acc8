import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ACCOUNT_TITLES, type AccountPath, AccountPageArriving } from '../account/page.tsx';
import { FirstProducts } from '../catalogue/first-products.tsx';
import { CataloguePage } from '../catalogue/page.tsx';
import { shopperStore } from '../db/shopper-store.ts';
import { Frame } from '../shell/frame.tsx';

/**
 * The markup of a first visit, which the build renders (netlify/build/first-markup.ts): the catalogue
 * without products, the list from which catalogue/stamp.ts draws them, and the screens about signing
 * in before their forms arrive.
 */
export function firstMarkup(): string {
  shopperStore.set(null);
  const screen = (
    <Frame>
      <CataloguePage />
    </Frame>
  );
  const others = Object.keys(ACCOUNT_TITLES) as AccountPath[]; // ACCOUNT_TITLES has these keys
  return [
    template('first-screen', screen),
    template('first-products', <FirstProducts />),
    ...others.map((path) => template(path, <AccountPageArriving path={path} />)),
  ].join('');
}

function template(id: string, content: ReactNode): string {
  const html = renderToStaticMarkup(<StaticRouter location="/">{content}</StaticRouter>);
  return `<template id="${id}">${html}</template>`;
}
