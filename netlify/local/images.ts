/**
 * Emulates the host's image CDN: it takes the addresses that the shop uses, with a picture and a width, but does not
 * resize. Source: docs.netlify.com, Image CDN, "Transform images".
 */
const PARAMETERS = new Map([
  ['url', /./],
  ['w', /^[1-9]\d{0,3}$/],
]);

export const IMAGES_PATH = '/.netlify/images';

export type ImageAnswer =
  | { readonly kind: 'rejected'; readonly sentence: string }
  | { readonly kind: 'picture'; readonly path: string };

/** Reads an address of the image CDN. It rejects pictures of other sites, because none are allowed here. */
export function findImage(query: URLSearchParams): ImageAnswer {
  for (const [name, text] of query) {
    if (PARAMETERS.get(name)?.test(text)) continue;
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
