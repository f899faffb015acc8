/**
 * Draws the first products without React, from the markup of one placeholder. They look as `grid.tsx`
 * and `card.tsx` draw them; a test in a browser compares the two.
 */
import { formatPrice } from '../domain/money.ts';
import { nameOf, namesAmong, type Product } from '../domain/product.ts';
import { productHref } from '../domain/routes.ts';
import { FALLBACK, pictureSources } from '../ui/picture-sources.ts';
import { CARD_SIZES, columnsFor } from './columns.ts';

export const PLACEHOLDER: Product = {
  id: 0,
  skc: '',
  title: '{title}',
  material: '{material}',
  size: '{size}',
  picture: null,
  price: null,
};

/**
 * Replaces the placeholder in the list by products. Draws each row of which the window shows a part. The
 * list gets the height of all rows.
 *
 * @param list is in the document and has its final width
 */
export function fillFirstCards(list: HTMLElement, products: readonly Product[]): void {
  const row = list.firstElementChild;
  const cell = row?.firstElementChild;
  if (!(row instanceof HTMLElement) || !cell) return;
  // Measured before the list changes, so that the browser lays out the page once for both.
  const columns = columnsFor(list.clientWidth);
  const visiblePx = window.innerHeight - list.getBoundingClientRect().top;
  const nameAmong = namesAmong(products);
  const rowCount = Math.ceil(products.length / columns);
  cell.remove();
  row.remove();
  list.style.setProperty('--columns', String(columns));
  let rowHeight = 0;
  for (let i = 0; i < rowCount && i * rowHeight < visiblePx; i++) {
    const newRow = row.cloneNode() as HTMLElement; // a clone has the type of its original
    newRow.dataset['row'] = String(i);
    const isEager = i === 0;
    newRow.style.transform = `translateY(${i * rowHeight}px)`;
    for (const [column, product] of products.slice(i * columns, (i + 1) * columns).entries()) {
      const newCell = cell.cloneNode(true) as Element; // as above
      newCell.ariaSetSize = String(products.length);
      newCell.ariaPosInSet = String(i * columns + column + 1);
      fill(newCell, product, nameAmong(product), isEager);
      newRow.append(newCell);
    }
    list.append(newRow);
    rowHeight ||= newRow.offsetHeight;
  }
  list.style.height = `${rowCount * rowHeight}px`;
}

/** Fills a copy of the placeholder's cell. The queries follow the markup of `card.tsx`. */
function fill(cell: Element, product: Product, name: string, isEager: boolean): void {
  for (const element of cell.querySelectorAll('[aria-label]')) {
    // A function, because `replace` interprets `$` in a replacement text.
    element.ariaLabel = element.ariaLabel?.replace(nameOf(PLACEHOLDER), () => name) ?? name;
  }
  const card = cell.querySelector<HTMLElement>('[data-product]');
  const title = cell.querySelector('a');
  const material = title?.parentElement?.nextElementSibling;
  const [size, price] = material?.nextElementSibling?.children ?? [];
  const sizeText = size?.lastElementChild;
  const picture = cell.querySelector('img');
  if (!card || !title || !material || !size || !sizeText || !price || !picture) {
    throw new Error('the placeholder is not a card');
  }
  card.dataset['product'] = String(product.id);
  title.textContent = product.title;
  title.setAttribute('href', productHref(product));
  material.textContent = product.material;
  price.textContent = formatPrice(product.price);
  if (product.size === '') size.remove();
  else sizeText.textContent = product.size;
  picture.alt = name;
  setPicture(picture, product.picture, CARD_SIZES, isEager);
}

/**
 * Sets the attributes that `picture.tsx` renders when it first loads a picture.
 *
 * @param sizes the `sizes` attribute, as in `Picture`
 */
export function setPicture(
  picture: HTMLImageElement,
  link: string | null,
  sizes: string,
  isEager: boolean,
): void {
  picture.loading = isEager ? 'eager' : 'lazy';
  picture.decoding = isEager ? 'sync' : 'async';
  if (isEager) picture.fetchPriority = 'high';
  const [source] = link === null ? [] : pictureSources(link, sizes);
  const { src, srcSet, crossOrigin } = source ?? { src: FALLBACK };
  // `src` last: setting it sends the request, and the other attributes decide which picture to request.
  if (crossOrigin !== undefined) picture.crossOrigin = crossOrigin;
  if (source?.sizes !== undefined) picture.sizes = source.sizes;
  if (srcSet !== undefined) picture.srcset = srcSet;
  picture.src = src;
}
