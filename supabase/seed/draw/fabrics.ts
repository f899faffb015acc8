/**
 * Cloth as SVG patterns, woven cloth here and knitted in `fabrics-knitted.ts`. The contrast is
 * low on purpose: at 180 px a thread is half a pixel, and a louder one would flicker.
 */
import { KNITTED } from './fabrics-knitted.ts';
import { mix, shadesOf, type Colour, type Shades } from './dyes.ts';
import { block, lines, type Weaver } from './weave.ts';

const WOVEN = {
  poplin: (a) => ({
    width: 4,
    height: 4,
    tile: lines('M0 1h2M2 3h2', a.pale, 0.9, 0.4) + lines('M3 0v2M1 2v2', a.deep, 0.7, 0.3),
  }),
  oxford: (a) => ({
    width: 6,
    height: 6,
    tile: block('M0 0h3v3H0zM3 3h3v3H3z', a.pale, 0.45) + lines('M0 3h6M3 0v6', a.deep, 0.5, 0.25),
  }),
  linen: (a) => ({
    width: 34,
    height: 30,
    tile:
      lines('M0 4h15M20 10h14M5 17h22M0 25h9M18 27h12', a.pale, 0.9, 0.36) +
      lines('M4 0v13M13 9v21M22 2v17M30 14v16M0 8h6M9 21h8M23 14h7', a.deep, 0.8, 0.32) +
      lines('M9 3v9M27 20v8M17 13v8', a.pale, 0.9, 0.34),
  }),
  canvas: (a) => ({
    width: 6,
    height: 6,
    tile:
      lines('M0 1.5h3M3 4.5h3', a.pale, 1.7, 0.42) + lines('M4.5 0v3M1.5 3v3', a.deep, 1.5, 0.34),
  }),
  twill: (a) => ({
    width: 6,
    height: 6,
    tile:
      lines('M-1 7L7-1M-1 1L1-1M5 7L7 5', a.pale, 1.2, 0.4) +
      lines('M-1 4L4-1M2 7L7 2', a.deep, 1, 0.34),
  }),
  denim: (a) => ({
    width: 24,
    height: 24,
    tile:
      lines(
        'M-2 8L8-2M-2 14L14-2M-2 20L20-2M-2 26L26-2M4 26L26 4M10 26L26 10M16 26L26 16',
        '#dfe6ee',
        0.9,
        0.24,
      ) +
      lines('M3 2v7M9 14v8M15 5v6M21 12v9', '#eef2f6', 0.9, 0.13) +
      lines('M6 9v9M18 0v7', a.line, 1, 0.2),
  }),
  herringbone: (a) => ({
    width: 20,
    height: 10,
    tile:
      lines('M0 10L10 0M0 5L5 0M5 10L10 5M10 0L20 10M10 5L15 10M15 0L20 5', a.pale, 1.4, 0.42) +
      lines('M10 0v10M0 0v10', a.deep, 1, 0.4),
  }),
  cord: (a) => ({
    width: 7,
    height: 14,
    tile:
      lines('M0 0v14M7 0v14', a.line, 2, 0.42) +
      lines('M3 0v14', a.pale, 2, 0.34) +
      lines('M2 3h3M2 10h3', a.deep, 0.8, 0.3),
  }),
  melton: (a) => ({
    width: 29,
    height: 31,
    tile:
      lines(
        'M3 4l4 1M15 2l2 3M22 9l5-1M8 13l3 3M18 17l4-2M2 22l3 2M12 26l5-1M24 24l2 3',
        a.pale,
        1.1,
        0.34,
      ) + lines('M10 7l4 1M25 3l2 2M4 16l2-3M20 22l4 1M7 28l3-1M14 19l2 2', a.deep, 1.2, 0.42),
  }),
  check: (a, b) => ({
    width: 52,
    height: 52,
    tile:
      block('M0 0h26v52H0z', a.line, 0.3) +
      block('M0 0h52v26H0z', a.line, 0.3) +
      block('M37 0h4v52h-4zM0 37h52v4H0z', b.base, 0.62) +
      block('M11 0h3v52h-3zM0 11h52v3H0z', b.base, 0.34) +
      lines(
        'M0 3l3-3M0 9l9-9M0 15l15-15M0 21l21-21M2 26L28 0M8 26L34 0M14 26L40 0M20 26L46 0',
        a.pale,
        0.6,
        0.14,
      ),
  }),
  tattersall: (a, b) => ({
    width: 30,
    height: 30,
    ground: b.base,
    tile:
      block('M6 0h2v30H6zM0 6h30v2H0z', a.base, 0.8) +
      block('M21 0h1.5v30H21zM0 21h30v1.5H0z', a.line, 0.5),
  }),
  gingham: (a, b) => ({
    width: 16,
    height: 16,
    ground: b.base,
    tile: block('M0 0h8v16H0z', a.base, 0.55) + block('M0 0h16v8H0z', a.base, 0.55),
  }),
  stripe: (a, b) => ({
    width: 11,
    height: 11,
    ground: b.base,
    tile: block('M2 0h4v11H2z', a.base, 0.78),
  }),
  plaid: (a, b) => ({
    width: 96,
    height: 96,
    tile:
      block('M0 0h40v96H0z', b.base, 0.2) +
      block('M0 0h96v40H0z', b.base, 0.2) +
      block('M54 0h10v96H54zM78 0h10v96H78zM0 54h96v10H0zM0 78h96v10H0z', a.line, 0.34) +
      block('M18 0h4v96h-4zM0 18h96v4H0z', '#f3ead6', 0.55) +
      block('M70 0h2v96h-2zM0 70h96v2H0z', '#b3402c', 0.6),
  }),
  quilt: (a) => ({
    width: 38,
    height: 38,
    tile:
      lines('M0 0L38 38M38 0L0 38', a.line, 1.3, 0.62) +
      lines('M1.5 0L39.5 38M39.5 0L1.5 38', a.pale, 1.4, 0.3) +
      block('M19 1L37 19 19 37z', a.line, 0.1),
  }),
  leather: (a) => ({
    width: 41,
    height: 37,
    tile: lines(
      'M4 5q3 2 6 0M21 3q2 3 5 2M33 12q3-2 6 1M11 17q3 3 7 0M26 23q4-2 6 1M3 28q4 1 6-2M17 32q4 2 8-1',
      a.deep,
      0.8,
      0.34,
    ),
  }),
} as const satisfies Record<string, Weaver>;

export const FABRICS = { ...WOVEN, ...KNITTED };
export type FabricName = keyof typeof FABRICS;

/** The yarn a two-colour cloth is woven with: undyed, or iron where the dye itself is pale. */
export const partnerOf = (base: Colour): Shades =>
  shadesOf(base === '#efe6d3' ? '#47454a' : mix('#efe6d3', base, 0.06));
