/** Serves a built folder as Netlify's CDN would: types, validators, compression, 404.html. */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, MiddlewareHandler } from 'hono';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/compress';
import { getPath } from 'hono/utils/url';
import { IMAGES_PATH, pictureIn } from './images.ts';
import type { SiteRules } from './rules.ts';

/** Netlify's own default: the browser keeps a file, but asks each time whether it has changed. */
const DEFAULT_CACHE_CONTROL = 'public, max-age=0, must-revalidate';
/** Smaller answers fit into one network packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;
/** Of 11: the best that does not keep the first visitor waiting. */
const BROTLI_QUALITY = 10;

/** The path that a request names, decoded; a picture's own where it asks the image CDN for one. */
export function requestedPath(request: Request): string {
  const path = getPath(request).replaceAll(/\/{2,}/g, '/');
  return (path === IMAGES_PATH ? pictureIn(new URL(request.url).searchParams) : null) ?? path;
}

/** Answers with the files of a folder. */
export function serveFolder(folder: string) {
  const serveFile = serveStatic({ root: folder });
  const serveNotFound = serveStatic({ root: folder, path: '404.html' });
  const noNext = async () => undefined;
  return async (c: Context, rules: SiteRules): Promise<Response> => {
    c.header('Cache-Control', DEFAULT_CACHE_CONTROL);
    for (const [name, value] of rules.headersFor(requestedPath(c.req.raw))) c.header(name, value);
    const file = await serveFile(c, noNext);
    if (file) return file;
    const page = await serveNotFound(c, noNext);
    return page ? new Response(page.body, { status: 404, headers: page.headers }) : c.notFound();
  };
}

/** Netlify's CDN sends brotli, which Hono's `compress` does not. Each content is compressed once, because that is slow. */
export function brotli(): MiddlewareHandler {
  const compressedByEtag = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    const tag = headers.get('etag');
    const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('content-type') ?? '');
    const isLong = Number(headers.get('content-length')) >= MIN_COMPRESSED_BYTES;
    const isAccepted = c.req
      .header('accept-encoding')
      ?.split(/\s*,\s*/)
      .includes('br');
    if (status !== 200 || tag === null || !isText || !isLong || !isAccepted) return;
    const compressed = compressedByEtag.get(tag) ?? compressWell(await c.res.arrayBuffer());
    compressedByEtag.set(tag, compressed);
    c.res = new Response(await compressed, c.res);
    c.res.headers.delete('content-length');
    c.res.headers.set('content-encoding', 'br');
    c.res.headers.set('etag', `W/${tag}`);
    c.res.headers.append('vary', 'Accept-Encoding');
  };
}

function compressWell(bytes: ArrayBuffer): Promise<Buffer<ArrayBuffer>> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}
