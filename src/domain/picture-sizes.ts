/**
 * Pictures in the size they are shown at, from the host's image CDN: Netlify makes them on demand,
 * as AVIF or WebP where the browser says that it takes them, from the site's own address, so that the
 * worker may keep them. Source: docs.netlify.com, Image CDN.
 */

/** In device pixels: a thumbnail, then half and a fifth of screens, at one to three pixels to a dot. */
const WIDTHS = [120, 240, 360, 480, 640, 960];
/** For browsers that take no `srcset`. */
const PLAIN_WIDTH = 480;

export interface PictureSizes {
  readonly src: string;
  readonly srcSet: string;
}

/**
 * @param link as in `Product.picture`
 * @param allowed which pictures from elsewhere the host resizes: `images.remote_images` in netlify.toml
 * @returns null for what is to be shown as it is: drawings, and what the host does not resize
 */
export function pictureSizes(link: string, allowed: readonly RegExp[]): PictureSizes | null {
  const path = link.split(/[?#]/, 1)[0] ?? '';
  if (path.toLowerCase().endsWith('.svg')) return null;
  if (!link.startsWith('/') && !allowed.some((pattern) => pattern.test(link))) return null;
  const resized = (width: number) => `/.netlify/images?url=${encodeURIComponent(link)}&w=${width}`;
  return {
    src: resized(PLAIN_WIDTH),
    srcSet: WIDTHS.map((width) => `${resized(width)} ${width}w`).join(', '),
  };
}
