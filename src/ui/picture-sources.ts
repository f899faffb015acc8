import { type PictureSource, sourcesOf } from '../domain/picture-sizes.ts';

/** Shown where a product has no picture, or none loads. */
export const FALLBACK = '/pictures/none.svg';

/** Shown where a product has a picture that is not on this device and cannot be loaded now. */
export const LATER = '/pictures/later.svg';

/** Match the links to pictures on other sites that the shop's host resizes. */
const RESIZED_LINKS = import.meta.env.VITE_RESIZED_PICTURES.map((pattern) => new RegExp(pattern));

/** The sources to try, in order. @param sizes the attribute of that name, for sources in several sizes */
export function pictureSources(
  link: string,
  sizes: string,
): readonly (PictureSource & { readonly sizes?: string })[] {
  return sourcesOf(link, RESIZED_LINKS).map((source) =>
    source.srcSet ? { ...source, sizes } : source,
  );
}
