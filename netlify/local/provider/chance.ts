/** Draws the ids and keys of the payment emulators. Chance is an argument, so a seed decides every id of a run. */

/** A number from 0 to below 1. */
export type Random = () => number;

export const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const CAPITALS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Used outside of tests, because another user of this machine must not guess a key. */
export const secureRandom: Random = () =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

export function drawText(random: Random, length: number, alphabet = LETTERS_AND_DIGITS): string {
  let text = '';
  while (text.length < length) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}
