/**
 * Pictures in the size of their place on screen, from the host's image CDN. Netlify resizes them on
 * demand, as AVIF or WebP where the browser accepts these, and serves them from the site's own address,
 * so that the service worker can cache them. Source: docs.netlify.com, Image CDN.
 */

/** The path of the host's image CDN. */
export const RESIZER = '/.netlify/images';

/**
 * In device pixels: for a thumbnail, and for cards of a fifth to a half of a screen's width, with one to three
 * device pixels for each CSS pixel.
 */
const WIDTHS = [120, 240, 360, 480, 640, 960];
/** The width for browsers without `srcset`. */
const PLAIN_WIDTH = 480;

export interface PictureSizes {
  readonly src: string;
  readonly srcSet: string;
}

/**
 * @param link as in `Product.picture`
 * @param allowed which pictures of other sites the host resizes (netlify/lib/remote-images.ts)
 * @returns null for a picture to show as it is: an SVG, or one that the host does not resize
 */
export function pictureSizes(link: string, allowed: readonly RegExp[]): PictureSizes | null {
  const path = link.split(/[?#]/, 1)[0] ?? '';
  if (path.toLowerCase().endsWith('.svg')) return null;
  if (!link.startsWith('/') && !allowed.some((pattern) => pattern.test(link))) return null;
  const resized = (width: number) => `${RESIZER}?url=${encodeURIComponent(link)}&w=${width}`;
  return {
    src: resized(PLAIN_WIDTH),
    srcSet: WIDTHS.map((width) => `${resized(width)} ${width}w`).join(', '),
  };
}

/** Attributes of an `img`. */
export interface PictureSource {
  readonly src: string;
  readonly srcSet?: string;
  readonly crossOrigin?: 'anonymous';
}

/**
 * The sources to try, in order: the right size from the shop's host, then the picture as it is. The page
 * requests another site's picture with CORS first, so that the service worker can cache it: the worker cannot
 * check an opaque response, which Chromium counts as about 7 MB of quota. If the site does not support CORS,
 * the page repeats the request without CORS, and the worker does not cache the picture.
 *
 * @param allowed as in `pictureSizes`
 */
export function sourcesOf(link: string, allowed: readonly RegExp[]): PictureSource[] {
  const resized = pictureSizes(link, allowed);
  const sources: PictureSource[] = resized ? [resized] : [];
  if (!link.startsWith('/')) sources.push({ crossOrigin: 'anonymous', src: link });
  return [...sources, { src: link }];
}

/** The address of the picture as it is, from the address of any of its sizes. */
export function originalOf(address: string): string {
  const url = new URL(address);
  const link = url.pathname === RESIZER ? url.searchParams.get('url') : null;
  return link !== null && URL.canParse(link, address) ? new URL(link, address).href : address;
}
