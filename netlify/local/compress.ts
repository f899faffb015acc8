/** Chooses and applies a content encoding. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip';

/** Smaller answers fit into one network packet anyway. */
export const MIN_COMPRESSED_BYTES = 1024;

const COMPRESSIBLE = /^(text\/|application\/(javascript|json|manifest\+json|xml|wasm)|image\/svg)/;

/**
 * The offered encoding that the client's `Accept-Encoding` (RFC 9110, 12.5.3) prefers; the first of those that it
 * prefers equally. Undefined for none.
 */
export function chooseEncoding(
  accept: string | undefined,
  offered: readonly ContentEncoding[],
): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map((text) => text.trim());
    const weight = params.find((param) => param.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

export function isCompressible(contentType: string): boolean {
  return COMPRESSIBLE.test(contentType);
}

/** For files that are compressed once and sent often. */
export async function compressWell(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  return encoding === 'gzip'
    ? promisify(gzip)(bytes, { level: 9 })
    : promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 10,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
}

/** For answers that are sent once. */
export async function compressFast(bytes: Buffer): Promise<Buffer> {
  return promisify(gzip)(bytes, { level: 6 });
}
