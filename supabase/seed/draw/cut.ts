/**
 * The pattern pieces that everything worn on the shoulders shares. Only the right half of a
 * picture (the wearer's left) is said; `half` and `pair` make the other.
 */
import { half, type Point } from './path.ts';

export interface Body {
  /** Half a neckline, from the centre line out to the top of the shoulder. */
  readonly neck: string;
  readonly shoulder: Point;
  readonly armpit: Point;
  readonly waist: Point;
  readonly hem: Point;
  /** Where the hem meets the centre line. */
  readonly foot: number;
}

/** The front: neckline, a shoulder that slopes, an armhole that curves in, side and hem. */
export function front({ neck, shoulder, armpit, waist, hem, foot }: Body): string {
  const [sx, sy] = shoulder;
  const [ax, ay] = armpit;
  const [wx, wy] = waist;
  const [hx, hy] = hem;
  return half(
    `${neck}L${sx} ${sy}C${sx - 7} ${sy + 28} ${ax - 17} ${ay - 28} ${ax} ${ay}` +
      `C${ax + (wx - ax) * 0.6} ${ay + (wy - ay) * 0.45} ${wx} ${wy - (wy - ay) * 0.3} ${wx} ${wy}` +
      `C${wx} ${wy + (hy - wy) * 0.4} ${hx - (hx - wx) * 0.3} ${hy - (hy - wy) * 0.4} ${hx} ${hy}` +
      `C${hx - 30} ${hy + (foot - hy) * 0.8} 240 ${foot} 200 ${foot}`,
  );
}

export interface Arm {
  readonly shoulder: Point;
  readonly armpit: Point;
  /** The two corners of the sleeve's end, away from the body and beside it. */
  readonly outer: Point;
  readonly inner: Point;
}

/** A sleeve as it hangs: full at the shoulder, the elbow a little out, the end at its own angle. */
export function sleeve({ shoulder, armpit, outer, inner }: Arm): string {
  const [sx, sy] = shoulder;
  const [ax, ay] = armpit;
  const [ox, oy] = outer;
  const [ix, iy] = inner;
  const drop = oy - sy;
  return (
    `M${sx - 8} ${sy - 4}L${sx} ${sy}C${sx + 19} ${sy + 9} ${ox - (ox - sx) * 0.3} ${sy + drop * 0.48} ${ox} ${oy}` +
    `L${ix} ${iy}C${ix - (ix - ax) * 0.35} ${iy - (iy - ay) * 0.45} ${ax + (ix - ax) * 0.2} ${ay + (iy - ay) * 0.3} ${ax - 2} ${ay + 1}` +
    `L${ax - 26} ${ay - 30}L${sx - 14} ${sy + 20}Z`
  );
}

/** What a sleeve ends in: its last `length` pixels again, drawn in by `tight` on either side. */
export function cuff({ outer, inner }: Arm, length: number, tight = 0): string {
  const [ox, oy] = outer;
  const [ix, iy] = inner;
  const wide = Math.hypot(ox - ix, oy - iy);
  const [ux, uy] = [(ox - ix) / wide, (oy - iy) / wide];
  const at = (along: number, down: number): string =>
    `${ix + ux * along - uy * down} ${iy + uy * along + ux * down}`;
  return (
    `M${at(tight, -1)}L${at(wide - tight, -1)}` +
    `Q${at(wide - tight / 2, length * 0.5)} ${at(wide - tight - 1, length)}` +
    `Q${at(wide / 2, length + 2.5)} ${at(tight + 1, length)}Q${at(tight / 2, length * 0.5)} ${at(tight, -1)}Z`
  );
}

/** A line across a sleeve, `up` pixels above its end: a hem's stitching. */
export function across({ outer, inner, shoulder }: Arm, up: number): string {
  const [ox, oy] = outer;
  const [ix, iy] = inner;
  const [dx, dy] = [shoulder[0] - ox, shoulder[1] - oy];
  const long = Math.hypot(dx, dy);
  const [ux, uy] = [(dx / long) * up, (dy / long) * up];
  return `M${ox + ux - 1} ${oy + uy}L${ix + ux} ${iy + uy}`;
}

/** The armhole seam on a front, drawn again over sleeve and body. */
export const armhole = ([sx, sy]: Point, [ax, ay]: Point, inset = 0): string =>
  `M${sx - inset} ${sy + inset / 2}C${sx - 7 - inset} ${sy + 28} ${ax - 17 - inset} ${ay - 28} ${ax - inset} ${ay - inset / 2}`;
