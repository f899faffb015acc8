/** Knitted cloth: see `fabrics.ts` for what a tile is. */
import { block, lines, type Weaver } from './weave.ts';

/** One rope of a cable: two strands that cross once in a tile of 40. */
const rope = (x: number): string =>
  `M${x} 0C${x} 14 ${x + 15} 12 ${x + 15} 26S${x + 7} 38 ${x + 8} 40M${x + 8} 0C${x + 8} 7 ${x + 15} 5 ${x + 15} 12` +
  `M${x} 40C${x} 28 ${x + 5} 24 ${x + 8} 21`;

export const KNITTED = {
  jersey: (a) => ({
    width: 4,
    height: 5,
    tile: lines('M0 1l2 2 2-2', a.deep, 0.7, 0.4) + lines('M0 3.4l2 2 2-2', a.pale, 0.6, 0.24),
  }),
  breton: (a, b) => ({
    width: 4,
    height: 21,
    ground: b.base,
    tile:
      block('M0 6h4v8H0z', a.base) +
      lines('M0 1l2 2 2-2M0 16l2 2 2-2', b.deep, 0.6, 0.4) +
      lines('M0 8l2 2 2-2', a.pale, 0.6, 0.25),
  }),
  terry: (a) => ({
    width: 9,
    height: 8,
    tile:
      lines('M1 2q1.5 2 3 0M5.5 6q1.5 2 3 0', a.deep, 0.8, 0.42) +
      lines('M5.5 2q1 1.5 2 0', a.pale, 0.8, 0.4),
  }),
  stocking: (a) => ({
    width: 8,
    height: 8,
    tile:
      lines('M0 1l4 5 4-5', a.deep, 1.3, 0.55) +
      lines('M0 5l4 5 4-5M0-3l4 5 4-5', a.pale, 1.2, 0.3) +
      lines('M0 0v8M8 0v8', a.deep, 0.8, 0.4),
  }),
  rib: (a) => ({
    width: 8,
    height: 8,
    tile:
      lines('M0 0v8M8 0v8', a.line, 2, 0.46) +
      lines('M3.5 0v8', a.pale, 2, 0.36) +
      lines('M2 2l2 2 2-2', a.deep, 0.8, 0.4),
  }),
  moss: (a) => ({
    width: 8,
    height: 8,
    tile:
      block('M1 1h3v3H1zM5 5h3v3H5z', a.line, 0.26) + block('M5 1h2v2H5zM1 5h2v2H1z', a.pale, 0.4),
  }),
  waffle: (a) => ({
    width: 11,
    height: 11,
    tile:
      block('M2 2h7v7H2z', a.line, 0.22) +
      lines('M0 .5h11M.5 0v11', a.pale, 1.4, 0.45) +
      lines('M2 2h7M2 2v7', a.line, 1, 0.32),
  }),
  cable: (a) => ({
    width: 46,
    height: 40,
    tile:
      block('M0 0h6v40H0zM29 0h17v40H29z', a.line, 0.12) +
      lines('M6 0v40M29 0v40', a.line, 1.6, 0.5) +
      lines(rope(10), a.line, 2.6, 0.5) +
      lines(rope(11.5), a.pale, 1.6, 0.5) +
      block(
        'M32 3h3v4h-3zM38 3h3v4h-3zM35 11h3v4h-3zM41 11h3v4h-3zM32 19h3v4h-3zM38 19h3v4h-3zM35 27h3v4h-3zM41 27h3v4h-3zM32 35h3v4h-3zM38 35h3v4h-3z',
        a.line,
        0.3,
      ),
  }),
  donegal: (a) => ({
    width: 37,
    height: 35,
    tile:
      lines(
        'M0 3l3 3 3-3M14 8l3 3 3-3M27 4l3 3 3-3M6 19l3 3 3-3M22 22l3 3 3-3M13 29l3 3 3-3',
        a.deep,
        1,
        0.4,
      ) +
      lines('M8 5l3 1M24 14l3-1M4 27l2 2M31 29l3-1', '#f5ecd9', 1.9, 0.75) +
      lines('M18 18l2 2M33 9l2 1', '#b3402c', 1.9, 0.6) +
      lines('M10 12l2-1M20 31l3 1M29 20l2 1', a.line, 1.8, 0.6),
  }),
} as const satisfies Record<string, Weaver>;
