/** Serves a built folder as Netlify's CDN would: types, validators, compression, 404.html. */
import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, posix, resolve, sep } from 'node:path';
import type { ContentEncoding } from './compress.ts';
import { chooseEncoding, compressWell, isCompressible, MIN_COMPRESSED_BYTES } from './compress.ts';
import type { SiteRules } from './rules.ts';

interface SiteFile {
  readonly type: string;
  readonly hash: string;
  readonly bytes: Buffer;
  readonly changedAtMs: number;
  readonly encoded: Map<ContentEncoding, Promise<Buffer>>;
}

const TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'application/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Netlify's own default: the browser keeps a file, but asks each time whether it has changed. */
const DEFAULT_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

/** The host reads these files and does not serve them. */
const HOST_FILES = new Set(['/_headers', '/_redirects']);

/** How much of a file's hash stands in its ETag: 132 bits. */
const HASH_CHARS = 22;
/** An ETag of `send`, with the hash as its group. A cache may have made it weak (`W/`). */
const ETAG = new RegExp(String.raw`^(?:W/)?"([\w-]{${HASH_CHARS}})(?:-\w+)?"$`);

/** Returns a handler that answers with the files of a folder, under its rules. */
export function serveFolder(folder: string, readRules: () => Promise<SiteRules>) {
  const root = resolve(folder);
  const cache = new Map<string, SiteFile>();

  async function findFile(path: string): Promise<SiteFile | undefined> {
    const file = await filePathInside(root, path.endsWith('/') ? `${path}index.html` : path);
    if (file === undefined || HOST_FILES.has(posix.normalize(path))) return undefined;
    const { mtimeMs } = await stat(file);
    const cached = cache.get(file);
    if (cached?.changedAtMs === mtimeMs) return cached;
    const bytes = await readFile(file);
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARS);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const read: SiteFile = { type, hash, bytes, changedAtMs: mtimeMs, encoded: new Map() };
    cache.set(file, read);
    return read;
  }

  /** @param path decoded path of the request, without query */
  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const rules = await readRules();
    for (const [name, value] of rules.headersFor(path)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    const rewritten = rules.rewrite(path);
    const file =
      (await findFile(path)) ?? (rewritten === undefined ? undefined : await findFile(rewritten));
    if (file !== undefined) return send(request, response, file, 200);
    const notFoundPage = await findFile('/404.html');
    if (notFoundPage !== undefined) return send(request, response, notFoundPage, 404);
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found');
  };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: SiteFile,
  status: number,
): Promise<void> {
  const offered: ContentEncoding[] =
    isCompressible(file.type) && file.bytes.length >= MIN_COMPRESSED_BYTES ? ['br', 'gzip'] : [];
  const encoding = chooseEncoding(request.headers['accept-encoding']?.toString(), offered);
  const etag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`;
  response.setHeader('ETag', etag);
  if (!response.hasHeader('Cache-Control')) {
    response.setHeader('Cache-Control', DEFAULT_CACHE_CONTROL);
  }
  if (offered.length > 0) response.setHeader('Vary', 'Accept-Encoding');
  if (status === 200 && hasCurrentFile(request.headers['if-none-match'], file.hash)) {
    response.writeHead(304).end();
    return;
  }
  const body = encoding === undefined ? file.bytes : await encodedOnce(file, encoding);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.writeHead(status, { 'Content-Type': file.type, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function encodedOnce(file: SiteFile, encoding: ContentEncoding): Promise<Buffer> {
  const encoded = file.encoded.get(encoding) ?? compressWell(file.bytes, encoding);
  file.encoded.set(encoding, encoded);
  return encoded;
}

/** Whether the client has this content already, in any encoding. */
function hasCurrentFile(ifNoneMatch: string | undefined, hash: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => ETAG.exec(tag.trim())?.[1] === hash);
}

/** The real path of the file that a path names; undefined when there is none inside the folder. */
async function filePathInside(root: string, path: string): Promise<string | undefined> {
  if (/[\0\\]/.test(path) || path.split('/').includes('..')) return undefined;
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))]);
    return file.startsWith(folder + sep) && (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
