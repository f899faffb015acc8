import type { Shades } from './dyes.ts';

/** One tile of cloth. */
interface Weave {
  readonly width: number;
  readonly height: number;
  /** What the tile holds, over a ground of the dye unless `ground` says otherwise. */
  readonly tile: string;
  readonly ground?: string;
}

/** A cloth in its dye (`a`) and the undyed or second yarn woven with it (`b`). */
export type Weaver = (a: Shades, b: Shades) => Weave;

const veil = (opacity: number): string => (opacity === 1 ? '' : ` opacity="${opacity}"`);

export const lines = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}"${veil(opacity)}/>`;

export const block = (d: string, colour: string, opacity = 1): string =>
  `<path d="${d}" fill="${colour}"${veil(opacity)}/>`;
