/** Draws random texts and values that no page sends. */
import type { Chance } from '../model/kit/chance.ts';

/** `toJson` replaces this text by a list that is nested too deeply for a recursive program. */
const DEEP_LIST_MARK = '@deep-list@';
const DEEP_LIST_DEPTH = 20_000;

/** Texts that break programs which forget to check or to escape them. */
const SCRAPS = [
  ...'\u0000 \ud800 \udfff \ufeff \u202e \r\n'.split(' '),
  ...String.raw`💎 \ " %00 %ff ../../etc/passwd <script>alert(1)</script>`.split(' '),
  ...'NaN -0 1e999 99999999999999999999 null true'.split(' '),
  "'; drop table public.orders; --",
  '${7*7}',
  ' ',
];

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  -0.5,
  99,
  100,
  1e9,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e300,
  5e-324,
];

/** Names that mean something to JavaScript or to the database. */
const NAMES = [
  ...'__proto__ constructor prototype toString toJSON then length'.split(' '),
  ...'p_user p_now mode role state user_id amount'.split(' '),
  '',
];

/** A text of any UTF-16 code units, also of halves of surrogate pairs and NUL. */
export function anyText(chance: Chance): string {
  return chance.weighted([
    [5, () => chance.pick(SCRAPS)],
    [2, () => chance.pick(SCRAPS) + anyText(chance)],
    [2, () => chance.uuid()],
    [2, () => textOfCodes(chance, chance.between(0, 40), 0xffff)],
    [0.2, () => 'x'.repeat(chance.between(100, 20_000))],
  ])();
}

/** Any JSON value, with lists and objects nested up to `depth` times. */
export function anyValue(chance: Chance, depth = 3): unknown {
  const nestedWeight = depth === 0 ? 0 : 2;
  return chance.weighted<() => unknown>([
    [2, () => null],
    [2, () => chance.happens(0.5)],
    [4, () => chance.pick(NUMBERS)],
    [4, () => anyText(chance)],
    [nestedWeight, () => listOf(chance, () => anyValue(chance, depth - 1))],
    [nestedWeight, () => Object.fromEntries(listOf(chance, () => anyField(chance, depth - 1)))],
    [0.1, () => DEEP_LIST_MARK],
  ])();
}

/** A field that no function reads. */
export function anyField(chance: Chance, depth = 2): [name: string, value: unknown] {
  const name = chance.happens(0.8) ? chance.pick(NAMES) : anyText(chance);
  return [name, anyValue(chance, depth)];
}

/** Up to 80 random bytes. */
export function anyBytes(chance: Chance): Buffer {
  return Buffer.from(listOf(chance, () => chance.between(0, 255), 80));
}

/** Any value that a header may have. */
export function anyHeader(chance: Chance): string {
  return textOfCodes(chance, chance.between(0, 60), 0xff).replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '');
}

/** A value as JSON; `undefined` as an empty text. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.replaceAll(
    `"${DEEP_LIST_MARK}"`,
    () => '['.repeat(DEEP_LIST_DEPTH) + ']'.repeat(DEEP_LIST_DEPTH),
  );
}

function listOf<T>(chance: Chance, draw: () => T, maxLength = 4): T[] {
  return Array.from({ length: chance.between(0, maxLength) }, draw);
}

function textOfCodes(chance: Chance, length: number, maxCode: number): string {
  const drawn = Array.from({ length }, () => chance.between(0, maxCode));
  return String.fromCharCode(...drawn);
}
