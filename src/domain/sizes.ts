/**
 * Sizes in the order in which people look for them: letters and words from small to large (XS, Small, M/L, XL), ages
 * (0-3 months, 2T), numbers (9 before 10, waist 32 before 34), shoes by the system that the size names, then all others.
 */
const ORDER = ['letters', 'petite', 'tall', 'ages', 'numbers', 'eu', 'uk', 'us', 'others'] as const;

interface Rank {
  readonly group: (typeof ORDER)[number];
  /** Compared one after another; as many in every size of the group. */
  readonly values: readonly number[];
}

let collator: Intl.Collator | undefined;

/** Compares texts as English sorts them, and numbers in them by their value. */
export function compareInEnglish(a: string, b: string): number {
  // Made at the first use, because that costs a slow phone more time than a frame has.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

/** Two ways to write one size (XXL and 2XL) stand together. */
export function compareSizes(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  const groups = ORDER.indexOf(rankA.group) - ORDER.indexOf(rankB.group);
  if (groups !== 0) return groups;
  for (const [i, value] of rankA.values.entries()) {
    const difference = value - (rankB.values[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareInEnglish(a, b);
}

function rankOf(size: string): Rank {
  const text = size
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/(\d)?\s*1\u20442/g, (_, whole = '0') => `${whole}.5`) // ½ is `1⁄2` in NFKD
    .replace(/(\d),(\d)/, '$1.$2')
    .trim();
  const fit = /\b(petite|tall)\b/.exec(text)?.[1] as 'petite' | 'tall' | undefined; // the pattern's words
  const letters = lettersOf(text.replace(/\s*\b(petite|tall|regular)\b\s*/, ''));
  if (letters !== null) return { group: fit ?? 'letters', values: [letters] };
  const age = ageOf(text);
  if (age !== null) return { group: 'ages', values: age };
  return numbersOf(text) ?? { group: 'others', values: [] };
}

/** M is 0, smaller sizes are negative, and of a pair (`S/M`) it is the middle; null for other sizes. */
function lettersOf(text: string): number | null {
  const steps = text.split('/').map(stepsOf);
  if (steps.length > 2 || steps.includes(null)) return null;
  return steps.reduce<number>((sum, step) => sum + (step ?? 0), 0) / steps.length;
}

const LETTERS = { s: -1, m: 0, l: 1 } as const;

/** Reads `XXL`, `2XL`, `2X`, `X-Large` and `Extra Large`: a number says how many X there are. */
function stepsOf(text: string): number | null {
  const short = text
    .replaceAll('extra', 'x')
    .replaceAll(/[\s-]/g, '')
    .replace(/small|medium|med|large/, (word) => word.charAt(0))
    .replace(/^(\d)x$/, '$1xl');
  const [, count = '', xs = '', letter] = /^(?:(\d)x|(x*))([sml])$/.exec(short) ?? [];
  if (letter === undefined) return null;
  return LETTERS[letter as 's' | 'm' | 'l'] * (1 + (Number(count) || xs.length)); // the pattern's letters
}

const UNITS = { m: 1, y: 12, t: 12 } as const;

/** Reads `0-3 months`, `3M`, `6/7 years` and `2T`, as months from and to. */
function ageOf(text: string): readonly number[] | null {
  if (/^(nb|newborn)$/.test(text)) return [0, 0];
  const [, from, to = from, unit] =
    /^(\d+)(?:\s*[-/]\s*(\d+))?\s*(months?|mths?|mos?|m|years?|yrs?|y|t)\.?$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const months = UNITS[unit.charAt(0) as 'm' | 'y' | 't']; // the pattern's words
  return [Number(from) * months, Number(to) * months];
}

/** Reads `38`, `38.5`, `EU 38`, `36/38`, `W32 L34` and `32x34`. */
function numbersOf(text: string): Rank | null {
  const match = /^(?:(eu|uk|us)\b\s*)?[\dwlx./\s-]+?(?:\s*(eu|uk|us))?$/.exec(text);
  if (match === null) return null;
  const [, before, after] = match;
  const [first, second = 0, ...more] = text.match(/\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  if (first === undefined || more.length > 0) return null;
  const group = (before ?? after ?? 'numbers') as Rank['group']; // the pattern's words
  return { group, values: [first, second] };
}
