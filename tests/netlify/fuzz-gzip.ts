/** The text of an upload, packed as pages pack it, or packed wrongly. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Chance } from '../model/kit/chance.ts';
import { anyBytes, anyText, anyValue } from './fuzz-values.ts';

/** More than a function unpacks. */
const BOMB_BYTES = 20_000_000;
const CSV = 'SKC,Retail Price\nFUZZ-1,5\n';
/** The header of a gzip member, which the checksum does not cover. */
const HEADER_BYTES = 10;
/** The checksum and the length of the text, at the end of a gzip member. */
const TRAILER_BYTES = 8;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The value of `csvGzip` for a text. */
export const packed = (csv: string | Uint8Array): string => base64(gzipSync(csv));

/** A field with the text: `csv`, or `csvGzip` unless the text has a lone surrogate, which packing would replace. */
export function textField(csv: string, chance: Chance): Record<string, string> {
  return chance.happens(0.5) && csv.isWellFormed() ? { csvGzip: packed(csv) } : { csv };
}

/** Made once, because packing takes long. */
let bomb: string | undefined;

/** A value of `csvGzip` from which no text can be had. */
export function wrongGzip(chance: Chance): unknown {
  const gzip = gzipSync(CSV);
  return chance.weighted<() => unknown>([
    [2, () => anyValue(chance)],
    [1, () => base64(anyBytes(chance))],
    [1, () => Buffer.from(anyText(chance)).toString('base64url')],
    [1, () => base64(Buffer.from(CSV))],
    [1, () => base64(chance.pick([deflateSync(CSV), brotliCompressSync(CSV)]))],
    [1, () => base64(gzip.subarray(0, chance.between(0, gzip.length - 1)))],
    [1, () => base64(gzip) + chance.pick([' ', '\n', 'A', '=', '====', '-', '\u0000', '%'])],
    // Not UTF-8.
    [1, () => base64(gzipSync(Buffer.concat([Buffer.from(CSV), Buffer.of(0xe9)])))],
    [
      2,
      () => {
        // Changes a byte, but not the last one of the packed text: its last bits may have no meaning.
        const lastOfText = gzip.length - TRAILER_BYTES - 1;
        const drawn = chance.between(HEADER_BYTES, gzip.length - 2);
        const at = drawn < lastOfText ? drawn : drawn + 1; // leaves out `lastOfText`
        gzip[at] = (gzip[at] ?? 0) ^ chance.between(1, 255);
        return base64(gzip);
      },
    ],
    [0.3, () => (bomb ??= packed(CSV + ' '.repeat(BOMB_BYTES)))],
  ])();
}
