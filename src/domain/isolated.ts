/** Letters that are written from right to left: Hebrew, Arabic and their neighbours in Unicode. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/**
 * A name for a sentence of ours. Where the name is written from right to left, it is put between two invisible
 * marks, FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: without them its last mark would go to the sentence's
 * next word. Source: Unicode Standard Annex 9, section 2.4.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
