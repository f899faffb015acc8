import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { FirstProducts } from '../catalogue/first-products.tsx';
import { CataloguePage } from '../catalogue/page.tsx';
import { shopperStore } from '../db/shopper-store.ts';
import { Frame } from './frame.tsx';

/**
 * What a stranger sees first, drawn when the shop is built (netlify/build/first-markup.ts): the
 * catalogue before its products, and the list that they are stamped from (catalogue/stamp.ts).
 */
export function firstMarkup(): string {
  shopperStore.set(null);
  const screen = (
    <Frame>
      <CataloguePage />
    </Frame>
  );
  return template('first-screen', screen) + template('first-products', <FirstProducts />);
}

function template(id: string, content: ReactNode): string {
  const html = renderToStaticMarkup(<StaticRouter location="/">{content}</StaticRouter>);
  // The tab has its title already.
  return `<template id="${id}">${html.replace(/<title>.*?<\/title>/, '')}</template>`;
}
