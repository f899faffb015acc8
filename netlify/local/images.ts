/**
 * Emulates the host's image CDN: it takes and rejects the same addresses, but does not resize.
 * Source: docs.netlify.com, Image CDN, "Transform images".
 */
const FITS = new Set(['contain', 'cover', 'fill']);
const POSITIONS = new Set(['center', 'top', 'bottom', 'left', 'right']);
const FORMATS = new Set(['avif', 'webp', 'jpg', 'png', 'gif', 'blurhash']);

const isPixels = (text: string) => /^[1-9]\d{0,3}$/.test(text);

const PARAMETERS = new Map<string, (text: string) => boolean>([
  ['url', (text) => text !== ''],
  ['w', isPixels],
  ['h', isPixels],
  ['fit', (text) => FITS.has(text)],
  ['position', (text) => POSITIONS.has(text)],
  ['fm', (text) => FORMATS.has(text)],
  ['q', (text) => /^([1-9]\d?|100)$/.test(text)],
]);

export const IMAGES_PATH = '/.netlify/images';

export type ImageAnswer =
  | { readonly kind: 'rejected'; readonly sentence: string }
  | { readonly kind: 'picture'; readonly path: string };

/** Reads an address of the image CDN. It rejects pictures of other sites, because none are allowed here. */
export function findImage(query: URLSearchParams): ImageAnswer {
  for (const [name, text] of query) {
    if (PARAMETERS.get(name)?.(text)) continue;
    return { kind: 'rejected', sentence: `${name}=${text} is not understood` };
  }
  const url = query.get('url') ?? '';
  if (url.startsWith('/') && !url.startsWith('//')) {
    try {
      return { kind: 'picture', path: decodeURI(new URL(url, 'http://own.invalid').pathname) };
    } catch {
      return { kind: 'rejected', sentence: `${url} is no path` };
    }
  }
  return { kind: 'rejected', sentence: `${url} is not a picture of this site` };
}
