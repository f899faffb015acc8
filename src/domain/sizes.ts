/** `XXL` and `2XL` are the same size: the number says how many X it has. */
const LETTER_SIZE = /^(\d*)(x*)(s|m|l)$/i;
const collator = new Intl.Collator('en', { numeric: true });

/** Compares sizes: letters from small to large (XS, S, XL) before all others, then 9 before 10, then words. */
export function compareSizes(a: string, b: string): number {
  const [letterA, letterB] = [letterRank(a), letterRank(b)];
  if (letterA !== letterB) return (letterA ?? Infinity) - (letterB ?? Infinity);
  return collator.compare(a, b);
}

/** M is 0, smaller sizes are negative; null for a size that is not written in these letters. */
function letterRank(size: string): number | null {
  const [, count = '', xs = '', letter] = LETTER_SIZE.exec(size.trim()) ?? [];
  if (letter === undefined) return null;
  const steps = 1 + (count === '' ? xs.length : Number(count));
  const direction = { s: -1, m: 0, l: 1 }[letter.toLowerCase() as 's' | 'm' | 'l']; // the pattern's letters
  return direction * steps;
}
