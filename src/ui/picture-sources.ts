import { pictureSizes } from '../domain/picture-sizes.ts';

/** Where no picture is, or none comes. */
export const FALLBACK = '/pictures/none.svg';

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
 * What to try, one after the other: in the right size from the host; as it is; from elsewhere with
 * CORS first, so that the worker may keep it: an opaque answer could be neither checked nor counted
 * (Chromium pads each to about 7 MB of quota). A host that does not allow CORS is asked once more
 * without it, and its picture is not kept.
 */
export function pictureSources(link: string, sizes: string): PictureSource[] {
  const resized = pictureSizes(link, RESIZED_ELSEWHERE);
  const ways: PictureSource[] = resized ? [{ ...resized, sizes }] : [];
  if (!link.startsWith('/')) ways.push({ crossOrigin: 'anonymous', src: link });
  return [...ways, { src: link }];
}
