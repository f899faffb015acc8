import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ACCOUNT_TITLES, type AccountPath, AccountPageArriving } from '../account/page.tsx';
import { Card } from '../catalogue/card.tsx';
import { PLACEHOLDER } from '../catalogue/first-cards.ts';
import gridStyles from '../catalogue/grid.module.css';
import { CataloguePage } from '../catalogue/page.tsx';
import { shopperStore } from '../db/shopper-store.ts';
import { nameOf } from '../domain/product.ts';
import { ProductArriving } from '../product/arriving.tsx';
import { Frame } from '../shell/frame.tsx';
import { NotFound } from '../shell/not-found.tsx';

/**
 * The markup of a first visit, which the build renders (netlify/build/first-markup.ts): the catalogue
 * without products, the list from which catalogue/first-cards.ts draws products, a product's page without its
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

/** The grid with one placeholder card, from which `first-cards.ts` makes the first products without React. */
function FirstProducts() {
  return (
    <div role="list" className={gridStyles['grid']}>
      <div className={gridStyles['row']} data-row="0">
        <div role="listitem">
          <Card product={PLACEHOLDER} name={nameOf(PLACEHOLDER)} isEager={false} />
        </div>
      </div>
    </div>
  );
}

/** The page for unknown addresses, which runs no script: its header is that of a visitor. */
export function notFoundMarkup(): string {
  shopperStore.set(null);
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
