/**
 * Guesses the encoding of a file that is not UTF-8 by the letters that each encoding makes of its words.
 *
 * The right encoding gives letters that its languages often use, upper case only at the beginning of a
 * word, and one script in a word. A wrong encoding gives rare letters, signs inside words, or bytes that
 * mean nothing. Scores are per byte, so that encodings of one and of two bytes a character compare.
 */
import type { Encoding, EncodingGuess } from '../protocol.ts';
import { readByteSlices, type TextOptions } from './file-text.ts';

/** What the bytes beyond ASCII show of a whole file that is not flawless UTF-8. */
interface ByteSurvey {
  /**
   * Whether more characters beyond ASCII are good UTF-8 than are not: then the file is UTF-8 with
   * damaged places, which the check reports one by one.
   */
  readonly isMostlyUtf8: boolean;
  /** The first `MOST_WORDS` different words that hold bytes beyond ASCII, in the order of the file. */
  readonly words: readonly Uint8Array<ArrayBuffer>[];
}

const MOST_WORDS = 500;
/** Longer words, as scripts without spaces have them, are cut; at an even number, for characters of two bytes. */
const MOST_WORD_BYTES = 40;

/** Reads the whole file. @throws UnreadableFile, and the signal's reason when it is aborted */
export async function surveyBytes(
  file: Blob,
  options: Pick<TextOptions, 'signal' | 'sliceBytes'>,
): Promise<ByteSurvey> {
  const decoder = new TextDecoder();
  const words = new WordCollector();
  let good = 0;
  let bad = 0;
  for await (const { slice, isLast } of readByteSlices(file, options)) {
    const text = decoder.decode(slice, { stream: !isLast });
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad += 1;
      else if (code > 0x7f) good += 1;
    }
    words.add(slice);
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

/** Spaces, digits and most separators are below 0x40 and end a word. Second bytes of two-byte characters are not. */
function isInWord(byte: number): boolean {
  return byte >= 0x40;
}

const SHOWN_WORDS = 6;
const MOST_OTHERS = 2;
/** A lower score per byte means that all encodings look wrong. Usual letters of a Latin language score 2. */
const DOUBTFUL_SCORE = 1;

const WESTERN = 'àâçèéêëîïôùûüœÿ äöüß áâãàçéêíñóôõúü åäöæøé áðéíóúýþæö àèéìòù';

/**
 * Letters beyond ASCII of the languages that an encoding is for, in lower case; a space between languages. `İ`
 * is here itself, because its lower case is two characters.
 */
const LETTERS = {
  'windows-1252': WESTERN,
  'windows-1254': 'çğıİöşüâîû',
  'windows-1250': 'ąćęłńóśźż áčďéěíňóřšťúůýžäôľĺŕ áéíóöőúüű ăâîşţ čćđšž',
  'windows-1251': 'оеаинтсрвлкмдпуя',
  'windows-1253': 'αοειτνσςρκπηυλμάέήίόύώ',
  'iso-8859-15': WESTERN,
  macintosh: WESTERN,
} satisfies Partial<Record<Encoding, string>>;

/** Icelandic letters score less than the Turkish ones of the same bytes: few product files are Icelandic. */
const RARE_LETTERS = 'þðý';
const USUAL_SIGNS = '–—’‘“”„…€£°®™×½¼²«»•\u00a0';

/**
 * Matches two bytes among ASCII letters, as an old DOS program wrote `öß` in `Größe`, `ün` in `dünn` and `Är` in
 * `Ärmel`. An Asian text hardly has a single character there. The code pages of DOS (437, 850) are no `Encoding`,
 * because browsers do not decode them: each encoding scores low then, and the page asks the user.
 */
const LONE_PAIR =
  String.raw`(?<![\x80-\xff][^]?)(?:(?<=[a-z])[\x80-\xff]{2}(?=[a-z])|` + // öß
  String.raw`(?<=[A-Za-z])[\x80-\xff][A-Za-z](?![\x80-\xff])|` + // ün
  String.raw`[\x80-\xff][A-Za-z](?=[A-Za-z]))`; // Är

/**
 * Characters of two bytes, written as characters from U+0000 to U+00FF: those that texts mostly
 * consist of, and all. Source: Encoding Standard; the first level of each national set.
 */
const PAIRS = {
  shift_jis: pairs(
    String.raw`\x81[\x40-\xfc]|\x82[\x4f-\xf1]|\x83[\x40-\x96]|[\x88-\x97][\x40-\xfc]`,
    String.raw`[\x81-\x9f\xe0-\xfc][\x40-\xfc]`,
  ),
  'euc-kr': pairs(String.raw`[\xa1-\xa3\xb0-\xc8][\xa1-\xfe]`, String.raw`[\x81-\xfe][\x41-\xfe]`),
  gb18030: pairs(String.raw`[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]`, String.raw`[\x81-\xfe][\x40-\xfe]`),
  big5: pairs(
    String.raw`[\xa1-\xa3\xa4-\xc6][\x40-\x7e\xa1-\xfe]`,
    String.raw`[\x81-\xfe][\x40-\xfe]`,
  ),
} satisfies Partial<Record<Encoding, RegExp>>;

function pairs(usual: string, all: string): RegExp {
  return new RegExp(String.raw`${LONE_PAIR}|(${usual})|(${all})|[\x80-\xff]`, 'g');
}

/** @param words bytes of words that hold some beyond ASCII; at least one */
export function guessEncoding(
  words: readonly Uint8Array<ArrayBuffer>[],
): EncodingGuess & { readonly encoding: Encoding } {
  const highBytes = words.reduce((sum, word) => sum + word.filter((byte) => byte > 0x7f).length, 0);
  const scores = [
    ...keysOf(LETTERS).map((encoding) => ({ encoding, score: letterScore(encoding, words) })),
    ...keysOf(PAIRS).map((encoding) => ({ encoding, score: pairScore(PAIRS[encoding], words) })),
  ].toSorted((a, b) => b.score - a.score);
  const { encoding = 'windows-1252', score = 0 } = scores[0] ?? {};
  const shown = wordsToShow(words, encoding);
  const wordsAs = (label: string) => shown.map((word) => new TextDecoder(label).decode(word));
  const [before, after] = [wordsAs('utf-8'), wordsAs(encoding)];
  // Leaves out those that read the words as the guess does, or as a likelier encoding does.
  const others = scores
    .filter((other) => other.score > 0 && other.encoding !== encoding)
    .map((other) => ({ encoding: other.encoding, words: wordsAs(other.encoding) }))
    .filter(({ words: read }, i, all) => {
      const isSame = (reading: readonly string[]) => reading.every((word, j) => word === read[j]);
      return !isSame(after) && all.findIndex((other) => isSame(other.words)) === i;
    });
  return {
    encoding,
    isDoubtful: score < DOUBTFUL_SCORE * highBytes,
    words: after.map((word, i) => ({ before: before[i] ?? '', after: word })),
    others: others.slice(0, MOST_OTHERS),
  };
}

/** The first words that have a letter beyond ASCII; where these are too few, also words that have only signs. */
function wordsToShow(words: readonly Uint8Array<ArrayBuffer>[], encoding: Encoding) {
  const decoder = new TextDecoder(encoding);
  const hasLetter = (word: Uint8Array) => Array.from(decoder.decode(word)).some(isOtherLetter);
  const withSigns = words.filter((word) => !hasLetter(word));
  return [...words.filter(hasLetter), ...withSigns].slice(0, SHOWN_WORDS);
}

function pairScore(pair: RegExp, words: readonly Uint8Array[]): number {
  let score = 0;
  for (const word of words) {
    for (const [, usual, other] of String.fromCharCode(...word).matchAll(pair)) {
      score += usual ? USUAL_PAIR : other ? OTHER_PAIR : STRAY_BYTE;
    }
  }
  // Otherwise Korean words would score as high in GB 18030, where their bytes are usual Chinese characters.
  return pair === PAIRS['euc-kr'] ? score * 1.02 : score;
}

/** Scores of two bytes, and of a lone pair or a byte in no pair; found by trial, like the numbers in `scoreAt`. */
const [USUAL_PAIR, OTHER_PAIR, STRAY_BYTE] = [5, -4, -10];

function letterScore(encoding: keyof typeof LETTERS, words: readonly Uint8Array[]): number {
  const decoder = new TextDecoder(encoding);
  const languages = LETTERS[encoding].split(' ');
  let score = 0;
  for (const word of words) {
    const text = decoder.decode(word);
    // A word is in one language, a file may be in several.
    score += Math.max(...languages.map((letters) => wordScore(text, letters)));
  }
  return score;
}

function wordScore(text: string, letters: string): number {
  let score = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) score += scoreAt(text, i, letters);
  }
  return score;
}

/** Below 0 for what hardly any text has at `i`. With these numbers the samples of the tests are guessed right. */
function scoreAt(text: string, i: number, letters: string): number {
  const char = text.charAt(i);
  const before = text.charAt(i - 1);
  const after = text.charAt(i + 1);
  if (/[\ufffd\x80-\x9f\ue000-\uf8ff]/.test(char)) return -10;
  if (!isOtherLetter(char)) {
    const isInWord = /\p{L}\p{L}/u.test(before + after);
    if (isInWord && char !== '’') return -3;
    return USUAL_SIGNS.includes(char) ? 0.5 : -1;
  }
  if (isLower(before) && char !== char.toLowerCase()) return -4;
  const isUsual = letters.includes(char) || letters.includes(char.toLowerCase());
  if (!/\p{Script=Latin}/u.test(char)) {
    if (/[a-z]/i.test(before + after)) return -4;
    return isUsual ? 3 : 1;
  }
  // Languages in Latin letters hardly ever have three letters beyond ASCII in a row.
  if (isOtherLetter(before) && isOtherLetter(text.charAt(i - 2))) return -3;
  if (!isUsual) return -2;
  const isIcelandic = letters.includes('þ');
  return isIcelandic && RARE_LETTERS.includes(char.toLowerCase()) ? 1 : 2;
}

/** Whether it is a letter beyond ASCII. */
function isOtherLetter(char: string): boolean {
  return char > '\x7f' && /\p{L}/u.test(char);
}

function isLower(char: string): boolean {
  return char !== char.toUpperCase();
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[]; // written above, so no others
}
