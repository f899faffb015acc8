/**
 * Emulates the host's image CDN: it takes the addresses that the shop uses, with a picture and a width, but does not
 * resize. Source: docs.netlify.com, Image CDN, "Transform images".
 */
const PARAMETERS = new Map([
  ['url', /^\/(?!\/)/],
  ['w', /^[1-9]\d{0,3}$/],
]);

export const IMAGES_PATH = '/.netlify/images';

/**
 * The path of the picture that an address of the image CDN names. Null for a picture of another site, because none is
 * allowed here, and for an address that the shop does not use.
 */
export function pictureIn(query: URLSearchParams): string | null {
  for (const [name, text] of query) if (!PARAMETERS.get(name)?.test(text)) return null;
  const url = URL.parse(query.get('url') ?? '', 'http://own.invalid');
  return url && query.has('url') ? decodeURI(url.pathname) : null;
}
