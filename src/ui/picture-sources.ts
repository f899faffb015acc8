import { pictureSizes } from '../domain/picture-sizes.ts';

/** Shown where a product has no picture, or none loads. */
export const FALLBACK = '/pictures/none.svg';

/** Shown where a product has a picture that is not on this device and cannot be loaded now. */
export const LATER = '/pictures/later.svg';

const RESIZED_ELSEWHERE = import.meta.env.VITE_RESIZED_PICTURES.map(
  (pattern) => new RegExp(pattern),
);

/** Attributes of an `img`. */
export interface PictureSource {
  readonly src: string;
  readonly srcSet?: string;
  readonly sizes?: string;
  readonly crossOrigin?: 'anonymous';
}

/**
 * The sources to try, in order: the right size from the shop's host, then the picture as it is. The page
 * requests another site's picture with CORS first, so that the service worker can cache it: it cannot
 * check an opaque response, which Chromium counts as about 7 MB of quota. From a site without CORS the
 * page requests it once more without, and the worker does not cache it.
 */
export function pictureSources(link: string, sizes: string): PictureSource[] {
  const resized = pictureSizes(link, RESIZED_ELSEWHERE);
  const sources: PictureSource[] = resized ? [{ ...resized, sizes }] : [];
  if (!link.startsWith('/')) sources.push({ crossOrigin: 'anonymous', src: link });
  return [...sources, { src: link }];
}
