import { readByteSlices, type TextOptions } from './file-text.ts';

/** What the bytes beyond ASCII show of a whole file that is not flawless UTF-8. */
export interface ByteSurvey {
  /**
   * Whether more characters beyond ASCII are good UTF-8 than are not: then the file is UTF-8 with
   * damaged places, which the check reports one by one.
   */
  readonly isMostlyUtf8: boolean;
  /** Different words that hold bytes beyond ASCII, in the order of the file; not all. */
  readonly words: readonly Uint8Array<ArrayBuffer>[];
}

const MOST_WORDS = 500;
/** Longer ones are cut, as in scripts without spaces; even, for characters of two bytes. */
const MOST_WORD_BYTES = 40;

/** @throws UnreadableFile, and the signal's reason when it is aborted */
export async function surveyBytes(
  file: Blob,
  options: Pick<TextOptions, 'signal' | 'sliceBytes'>,
): Promise<ByteSurvey> {
  const decoder = new TextDecoder();
  const words = new Map<string, Uint8Array<ArrayBuffer>>();
  let good = 0;
  let bad = 0;
  for await (const { bytes, isLast } of readByteSlices(file, options)) {
    const text = decoder.decode(bytes, { stream: !isLast });
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad += 1;
      else if (code > 0x7f) good += 1;
    }
    if (words.size < MOST_WORDS) collectWords(bytes, words);
  }
  return { isMostlyUtf8: good > bad, words: [...words.values()] };
}

function collectWords(bytes: Uint8Array, words: Map<string, Uint8Array<ArrayBuffer>>) {
  for (let i = 0; i < bytes.length && words.size < MOST_WORDS; i++) {
    if (bytes[i]! < 0x80) continue; // i < length
    let start = i;
    while (start > 0 && isInWord(bytes[start - 1]!)) start -= 1; // start > 0
    let end = i;
    while (end < bytes.length && isInWord(bytes[end]!)) end += 1; // end < length
    i = end;
    const word = bytes.slice(start, Math.min(end, start + MOST_WORD_BYTES));
    words.set(String.fromCharCode(...word), word);
  }
}

/** Spaces, digits and most separators end a word; hardly any character of two bytes has one as its second. */
function isInWord(byte: number): boolean {
  return byte >= 0x40;
}
