/** Texts in the encodings of real files. Browsers and Node only decode, so this inverts their decoders. */
import type { Encoding } from '../../src/import/protocol.ts';

const TABLES = new Map<Encoding, ReadonlyMap<string, readonly number[]>>();

/** The bytes of the text. @throws for a character that the encoding does not have */
export function encodedAs(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> {
  const table = TABLES.get(encoding) ?? tableOf(encoding);
  TABLES.set(encoding, table);
  return Uint8Array.from(
    Array.from(text).flatMap((char) => {
      const bytes = table.get(char);
      if (!bytes) throw new Error(`${char} is not in ${encoding}`);
      return bytes;
    }),
  );
}

/**
 * All characters of one and two bytes in an encoding other than UTF-16. Of two bytes the first is 0x81 or higher,
 * the second 0x40 or higher.
 */
function tableOf(encoding: Encoding): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: readonly number[]) => {
    const char = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
    const isOneChar = Array.from(char).length === 1 && char !== '\ufffd';
    if (isOneChar && !table.has(char)) table.set(char, bytes);
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 256; first++) {
    for (let second = 0x40; second < 256; second++) add(first, second);
  }
  return table;
}
