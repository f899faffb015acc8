/**
 * Emulates the host's image CDN: the same addresses and rejections, but every picture in the size
 * it has. Source: docs.netlify.com, Image CDN, "Transform images".
 */
const FITS = new Set(['contain', 'cover', 'fill']);
const POSITIONS = new Set(['center', 'top', 'bottom', 'left', 'right']);
const FORMATS = new Set(['avif', 'webp', 'jpg', 'png', 'gif', 'blurhash']);

const isPixels = (text: string) => /^[1-9]\d{0,3}$/.test(text);

const PARAMETERS: Readonly<Record<string, (text: string) => boolean>> = {
  url: (text) => text !== '',
  w: isPixels,
  h: isPixels,
  fit: (text) => FITS.has(text),
  position: (text) => POSITIONS.has(text),
  fm: (text) => FORMATS.has(text),
  q: (text) => /^([1-9]\d?|100)$/.test(text),
};

export const IMAGES_PATH = '/.netlify/images';

export type ImageAnswer =
  | { readonly kind: 'rejected'; readonly sentence: string }
  | { readonly kind: 'own'; readonly path: string }
  | { readonly kind: 'elsewhere'; readonly url: string };

/** @param allowed `images.remote_images` of netlify.toml */
export function findImage(query: URLSearchParams, allowed: readonly string[]): ImageAnswer {
  for (const [name, text] of query) {
    if (PARAMETERS[name]?.(text)) continue;
    return { kind: 'rejected', sentence: `${name}=${text} is not understood` };
  }
  const url = query.get('url') ?? '';
  if (url.startsWith('/') && !url.startsWith('//')) {
    return { kind: 'own', path: decodeURI(new URL(url, 'http://own.invalid').pathname) };
  }
  const isAllowed = URL.canParse(url) && allowed.some((pattern) => new RegExp(pattern).test(url));
  return isAllowed
    ? { kind: 'elsewhere', url }
    : { kind: 'rejected', sentence: `no rule of netlify.toml allows ${url}` };
}
