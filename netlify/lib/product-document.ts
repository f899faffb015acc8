/**
 * Writes a product into the shop's document: for programs that run no script, such as search engines and the
 * previews of messengers, and for a person's first visit, until the page is drawn from the catalogue.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chosenSize,
  summaryOf,
  leadPictureOf,
  priceWords,
  productData,
  type ProductPage,
  productPageOf,
  type ShopFacts,
} from '../../src/domain/product-page.ts';
import { keyOf, parseProductRow } from '../../src/domain/product.ts';
import { sourcesOf } from '../../src/domain/picture-sizes.ts';
import { productPath } from '../../src/domain/routes.ts';
import { absoluteAddress } from '../../src/domain/structured-data.ts';
import { fieldsOf } from '../../src/domain/fields.ts';
import { callDatabase, DatabaseRejection, DatabaseUnavailable } from './database.ts';
import { type BackendSettings, netlifyVariable, NotConfigured } from './env.ts';
import { escapeMarkup } from './escape.ts';
import { remoteImages } from './remote-images.ts';

/** A visitor waits for this answer; without it the page reads the product itself. */
const TIMEOUT_MS = 4000;
/** The most sizes that are read. */
const MOST_ROWS = 100;

/** SQLSTATE class 22, "data exception": the database cannot store such a text, so no product has it. */
const UNSTORABLE_TEXT = /^22/;

/**
 * Reads a product with all of its sizes; null where the database answers that the shop has none of this
 * code.
 *
 * @throws DatabaseUnavailable, DatabaseRejection, NotConfigured for any other answer, which tells nothing
 *   of the product
 */
export async function readProduct(
  settings: BackendSettings,
  skc: string,
): Promise<ProductPage | null> {
  // The page of products that follow this code and the id 0 begins with those of the code itself.
  const args = { p_skc: skc, p_id: 0, p_limit: MOST_ROWS };
  const answer = await callDatabase(settings, 'catalogue_page', args, TIMEOUT_MS).catch(
    (thrown: unknown) => {
      if (thrown instanceof DatabaseRejection && UNSTORABLE_TEXT.test(thrown.code))
        return { products: [] };
      throw thrown;
    },
  );
  const { products } = fieldsOf(answer);
  if (!Array.isArray(products)) {
    throw new DatabaseUnavailable('catalogue_page: an answer without products');
  }
  const rows = products.flatMap((values: unknown) => {
    const row = Array.isArray(values) ? parseProductRow(values) : null;
    return row !== null && keyOf(row).skc === skc ? [row] : [];
  });
  return productPageOf(rows);
}

/** The shop's document as it was built, with the headers that the host sends with it. */
interface Shell {
  readonly html: string;
  readonly headers: ReadonlyMap<string, string>;
}

const DOCUMENT = '/index.html';

/**
 * Reads the files that netlify.toml puts beside the function.
 *
 * @throws NotConfigured where they are missing
 */
export async function readShell(): Promise<Shell> {
  const folder = netlifyVariable('SITE_FOLDER') || 'dist';
  try {
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    return { html: await read(DOCUMENT), headers: headersOfDocument(await read('_headers')) };
  } catch (cause) {
    throw new NotConfigured(`The files of the site are not in ${folder}: ${String(cause)}`);
  }
}

/** The headers of the document in the host's file of headers (netlify/build/site-rules.ts). */
function headersOfDocument(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let isForDocument = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) isForDocument = line === '/*' || line === DOCUMENT;
    const [, name, value] = /^\s+([\w-]+): (.+)$/.exec(line) ?? [];
    if (isForDocument && name !== undefined && value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** What the request for a document says, beside the product. */
interface PageRequest extends ShopFacts {
  /** The size that the page's address names. */
  readonly size: string | null;
  /** The Supabase project's address, whose pictures the host resizes. */
  readonly backendUrl: string;
}

/** The document with what it says of a product: in its head, and on the screen before its script arrives. */
export function withProduct(shell: string, page: ProductPage, request: PageRequest): string {
  const { site, returns } = request;
  const address = site + productPath(page.skc);
  const picture = leadPictureOf(page);
  const image = picture === null ? undefined : absoluteAddress(picture, site);
  const metas = [
    ['name', 'description', summaryOf(page)],
    ['property', 'og:description', summaryOf(page)],
    ['property', 'og:type', 'product'],
    ['property', 'og:url', address],
    ...(image === undefined ? [] : [['property', 'og:image', image] as const]),
  ] as const;
  const document = metas.reduce(
    (html, [attribute, name, content]) => withMeta(html, attribute, name, content),
    withTitle(withFirstMarkup(shell, page, request), page.fullTitle),
  );
  return atEndOfHead(
    document,
    `<link rel="canonical" href="${escapeMarkup(address)}" />` +
      `<script type="application/ld+json">${productData(page, { site, returns })}</script>`,
  );
}

/**
 * Fills in what the document shows of the product before its script has arrived (src/product/arriving.tsx).
 * The script of index.html shows the template with the id `product`. Where `data-filled` marks the document, that
 * script lets the picture load before the shop's scripts.
 */
function withFirstMarkup(
  shell: string,
  page: ProductPage,
  { size, backendUrl }: PageRequest,
): string {
  const chosen = chosenSize(page, size);
  const picture = chosen === null ? leadPictureOf(page) : chosen.picture;
  const texts: Readonly<Record<string, string>> = {
    title: page.title,
    material: page.material ?? '',
    price: priceWords(page, chosen),
  };
  const allowed = remoteImages(backendUrl).map((pattern) => new RegExp(pattern));
  const [source] = picture === null ? [] : sourcesOf(picture, allowed);
  // `srcSet` is React's name of the attribute.
  const attributes = Object.entries(source ?? {}).map(
    ([name, value]) => `${name.toLowerCase()}="${escapeMarkup(value)}"`,
  );
  return shell
    .replace('<html lang="en">', '<html lang="en" data-filled>')
    .replace('"product-unfilled"', '"product"')
    .replace('data-picture="{product picture}"', () => attributes.join(' '))
    .replaceAll(/\{product (title|material|price)\}/g, (_, name: string) =>
      escapeMarkup(texts[name] ?? ''),
    );
}

/** The document for a code that the shop does not have. */
export function withoutProduct(shell: string): string {
  const titled = withTitle(shell, 'This product isn’t available');
  return withMeta(titled, 'name', 'robots', 'noindex');
}

/** Replaces what stands before the shop's name in the title, as the page's own script does. */
function withTitle(html: string, title: string): string {
  const [, shop = ''] = /<title>[^<]*?(·[^<]*)<\/title>/.exec(html) ?? [];
  const whole = `${escapeMarkup(title)} ${shop}`;
  const titled = html.replace(/<title>[^<]*<\/title>/, () => `<title>${whole}</title>`);
  return withEscapedMeta(titled, 'property', 'og:title', whole);
}

function withMeta(html: string, attribute: string, name: string, content: string): string {
  return withEscapedMeta(html, attribute, name, escapeMarkup(content));
}

/** Sets the content of a `<meta>`, or adds it. @param content escaped */
function withEscapedMeta(html: string, attribute: string, name: string, content: string): string {
  const meta = `<meta ${attribute}="${name}" content="${content}" />`;
  const present = new RegExp(String.raw`<meta\s+${attribute}="${name}"\s+content="[^"]*"\s*/?>`);
  return present.test(html) ? html.replace(present, () => meta) : atEndOfHead(html, meta);
}

function atEndOfHead(html: string, markup: string): string {
  return html.replace('</head>', (end) => markup + end);
}
