/** A product with all of its sizes: what its page shows, and what that page tells search engines. */
import { formatPrice } from './money.ts';
import { categoriesOf, nameOf, type Product, productOf, type ProductRow } from './product.ts';
import { isProduct, productHref, productPath, PRODUCTS } from './routes.ts';
import { compareSizes } from './sizes.ts';
import { absoluteAddress, scriptText } from './structured-data.ts';

export interface ProductPage {
  readonly skc: string;
  /** The first category, or `Untitled`. */
  readonly title: string;
  /** The title with the material, which distinguishes products of the same title. */
  readonly fullTitle: string;
  readonly material: string | null;
  readonly composition: string | null;
  /** Each category once, in the order of the fields. */
  readonly categories: readonly string[];
  /** At least one, the small ones first. A shop may sell a product without a size. */
  readonly sizes: readonly [Product, ...Product[]];
}

/** The stock code in a path as it stands in an address; null where there is none. */
export function stockCodeIn(path: string): string | null {
  if (!isProduct(path)) return null;
  try {
    const code = decodeURIComponent(path.slice(PRODUCTS.length).replace(/\/$/, ''));
    // Leaves out the tilde that `productPath` may add. No stock code has a line break, which `.` does not match.
    return /^~?(.*)$/.exec(code)?.[1] || null;
  } catch {
    return null;
  }
}

/** Indices in a `ProductRow`. */
const MATERIAL = 9;
const COMPOSITION = 10;

/**
 * The page of one product; null where there are no rows.
 *
 * @param rows all rows of one stock code
 */
export function productPageOf(rows: readonly ProductRow[]): ProductPage | null {
  const [first, ...others] = rows
    .map(productOf)
    .toSorted((a, b) => compareSizes(a.size, b.size) || a.id - b.id);
  if (!first) return null;
  // All rows are the same garment, so a value that one size lacks is taken from another.
  const firstValue = (field: typeof MATERIAL | typeof COMPOSITION) =>
    rows.find((row) => row[field] !== null)?.[field] ?? null;
  const { skc, title } = first;
  const material = firstValue(MATERIAL);
  return {
    skc,
    title,
    fullTitle: nameOf({ title, material, size: '' }),
    material,
    composition: firstValue(COMPOSITION),
    categories: [...new Set(rows.flatMap(categoriesOf))],
    sizes: [first, ...others],
  };
}

/** The picture that stands for the product: of its first size that has one. */
export function leadPictureOf({ sizes }: ProductPage): string | null {
  return sizes.find(({ picture }) => picture !== null)?.picture ?? null;
}

/** The size that an address names, or the only one; null where the shopper has to choose. */
export function chosenSize({ sizes }: ProductPage, asked: string | null): Product | null {
  return sizes.find(({ size }) => size === asked) ?? (sizes.length === 1 ? sizes[0] : null);
}

/** The price of a size. With none chosen it is the lowest, after "From" where another size costs more. */
export function priceWords({ sizes }: ProductPage, chosen: Product | null): string {
  if (chosen) return formatPrice(chosen.price);
  const prices = sizes.map(({ price }) => price).filter((price) => price !== null);
  if (prices.length === 0) return formatPrice(null);
  const cheapest = Math.min(...prices);
  const from = prices.some((price) => price > cheapest) ? 'From ' : '';
  return from + formatPrice(cheapest);
}

/** One sentence each for name, composition, sizes and price, for previews of a shared address. */
export function summaryOf(page: ProductPage): string {
  const { fullTitle, composition, sizes } = page;
  const sentences = [fullTitle];
  if (composition) sentences.push(composition);
  const named = sizes.map(({ size }) => size).filter((size) => size !== '');
  if (named.length > 0) {
    sentences.push(`${named.length === 1 ? 'Size' : 'Sizes'} ${named.join(', ')}`);
  }
  if (sizes.some(({ price }) => price !== null)) sentences.push(priceWords(page, null));
  return sentences.map((sentence) => `${sentence}.`).join(' ');
}

/** What a shop tells search engines beside its products. */
export interface ShopFacts {
  /** The shop's address, without a slash at its end. */
  readonly site: string;
  /** The address of the page about returns; null without one. */
  readonly returns: string | null;
}

/**
 * The product for search engines, as the text of a script element: a schema.org Product, or a ProductGroup with a
 * variant for each size. The shop does not tell them its stock, so offers say nothing about availability. A size
 * without a price has no offer, and is left out.
 * Source: https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
export function productData(page: ProductPage, { site, returns }: ShopFacts): string {
  const { skc, fullTitle, material, categories } = page;
  const picture = leadPictureOf(page);
  const shared = {
    name: fullTitle,
    description: summaryOf(page),
    url: site + productPath(skc),
    ...(picture !== null && { image: absoluteAddress(picture, site) }),
    ...(material !== null && { material }),
    ...(categories.length > 0 && { category: categories.join(', ') }),
  };
  const policy = returns !== null && {
    hasMerchantReturnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnLink: returns },
  };
  const priced = page.sizes.flatMap((product) => {
    const { size, price } = product;
    if (price === null) return [];
    const url = site + productHref(product);
    const amount = { price: (price / 100).toFixed(2), priceCurrency: 'USD' };
    const offers = { '@type': 'Offer', ...amount, url, ...policy };
    return [{ product, fields: { ...(size !== '' && { size }), offers } }];
  });
  const [only] = priced;
  if (priced.length <= 1) {
    return scriptText({ ...CONTEXT, '@type': 'Product', ...shared, sku: skc, ...only?.fields });
  }
  return scriptText({
    ...CONTEXT,
    '@type': 'ProductGroup',
    ...shared,
    productGroupID: skc,
    variesBy: ['https://schema.org/size'],
    hasVariant: priced.map(({ product, fields }) => {
      const { size, picture: own } = product;
      const image = own ?? picture;
      return {
        '@type': 'Product',
        name: nameOf({ ...product, material }),
        // Each variant needs a code of its own: here code and size together are what tells products apart.
        sku: size === '' ? skc : `${skc}-${size}`,
        ...(image !== null && { image: absoluteAddress(image, site) }),
        ...fields,
      };
    }),
  });
}

const CONTEXT = { '@context': 'https://schema.org' } as const;
