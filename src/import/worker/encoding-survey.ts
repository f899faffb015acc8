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
  const words = new WordCollector();
  let good = 0;
  let bad = 0;
  for await (const { bytes, isLast } of readByteSlices(file, options)) {
    const text = decoder.decode(bytes, { stream: !isLast });
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad += 1;
      else if (code > 0x7f) good += 1;
    }
    words.add(bytes);
  }
  return { isMostlyUtf8: good > bad, words: words.end() };
}

/** Collects words from bytes that come in slices of any size. */
class WordCollector {
  readonly #words = new Map<string, Uint8Array<ArrayBuffer>>();
  #word: number[] = [];
  #isBeyondAscii = false;

  add(bytes: Uint8Array): void {
    if (this.#words.size === MOST_WORDS) return;
    for (const byte of bytes) {
      if (!isInWord(byte)) this.#endWord();
      else {
        if (this.#word.length < MOST_WORD_BYTES) this.#word.push(byte);
        if (byte > 0x7f) this.#isBeyondAscii = true;
      }
    }
  }

  end(): Uint8Array<ArrayBuffer>[] {
    this.#endWord();
    return [...this.#words.values()];
  }

  #endWord(): void {
    if (this.#isBeyondAscii && this.#words.size < MOST_WORDS) {
      this.#words.set(String.fromCharCode(...this.#word), Uint8Array.from(this.#word));
    }
    if (this.#word.length > 0) this.#word = [];
    this.#isBeyondAscii = false;
  }
}

/** Spaces, digits and most separators end a word; hardly any character of two bytes has one as its second. */
function isInWord(byte: number): boolean {
  return byte >= 0x40;
}
