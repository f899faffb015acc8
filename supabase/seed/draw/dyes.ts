/**
 * The ten colours the shop dyes in, named after what makes them. Nothing brighter than a
 * plant or a sheep gives; every other shade in a picture is mixed from these.
 */

export type Colour = `#${string}`;

export interface Dye {
  /** As the stock code spells it: `WF-1042-IND`. */
  readonly code: string;
  readonly base: Colour;
}

export const DYES = {
  ecru: { code: 'ECR', base: '#efe6d3' },
  oat: { code: 'OAT', base: '#cfb994' },
  ash: { code: 'ASH', base: '#a39c92' },
  iron: { code: 'IRN', base: '#47454a' },
  indigo: { code: 'IND', base: '#35476f' },
  woad: { code: 'WOA', base: '#7d98ad' },
  madder: { code: 'MAD', base: '#a9432f' },
  walnut: { code: 'WAL', base: '#74503a' },
  weld: { code: 'WEL', base: '#c99b3f' },
  moss: { code: 'MOS', base: '#687150' },
} as const satisfies Record<string, Dye>;

export type DyeName = keyof typeof DYES;

const channels = (hex: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** `share` of `other` in `hex`, from 0 to 1. */
export function mix(hex: string, other: string, share: number): Colour {
  const theirs = channels(other);
  const mixed = channels(hex).map((mine, i) =>
    Math.round(mine + ((theirs[i] ?? 0) - mine) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** How light a colour looks, from 0 to 1 (Rec. 709 weights on the plain channel values). */
function lightness(hex: string): number {
  const [r = 0, g = 0, b = 0] = channels(hex);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** The shades one dyed yarn shows: in a seam, in a hollow, where the light catches it. */
export interface Shades {
  readonly base: Colour;
  readonly line: Colour;
  readonly deep: Colour;
  readonly pale: Colour;
  readonly inside: Colour;
  readonly thread: Colour;
}

export function shadesOf(base: Colour): Shades {
  const dark = lightness(base) < 0.4;
  return {
    base,
    line: mix(base, '#140b05', dark ? 0.62 : 0.52),
    deep: mix(base, '#1c1008', dark ? 0.3 : 0.17),
    pale: mix(base, '#fff6e4', dark ? 0.17 : 0.4),
    inside: mix(base, '#1c1008', dark ? 0.42 : 0.3),
    thread: dark ? mix(base, '#fff2da', 0.42) : mix(base, '#1c1008', 0.34),
  };
}
