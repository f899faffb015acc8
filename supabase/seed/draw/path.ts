/**
 * Outlines as text, in absolute `M L Q C Z`, on a sheet of 400 by 500.
 *
 * Garments are drawn as one half, from the top of the centre line to its foot, and mirrored.
 * A cloth that lies on a table is never a mirror image, so every point passes through a
 * `Hand`: a slow wave of a pixel or two that moves seams, buttons and edges together.
 */

export type Point = readonly [x: number, y: number];
export type Hand = (point: Point) => Point;

interface Step {
  readonly op: string;
  readonly points: readonly Point[];
}

const CENTRE = 200;
const ARITY: Readonly<Record<string, number>> = { M: 1, L: 1, Q: 2, C: 3, Z: 0 };

function parse(d: string): Step[] {
  const steps: Step[] = [];
  for (const [, op = '', rest = ''] of d.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    const points: Point[] = [];
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      points.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
    }
    const arity = ARITY[op] ?? 0;
    if (arity === 0) {
      steps.push({ op, points: [] });
      continue;
    }
    for (let i = 0; i < points.length; i += arity) {
      steps.push({ op, points: points.slice(i, i + arity) });
    }
  }
  return steps;
}

const write = (steps: readonly Step[]): string =>
  steps.map(({ op, points }) => op + points.map((p) => p.join(' ')).join(' ')).join('');

/** The same outline on the other side of the centre line. */
export const mirror = (d: string): string =>
  write(
    parse(d).map(({ op, points }) => ({
      op,
      points: points.map(([x, y]): Point => [2 * CENTRE - x, y]),
    })),
  );

/** The same outline elsewhere on the sheet. */
export const shift = (d: string, across: number, down: number): string =>
  write(
    parse(d).map(({ op, points }) => ({
      op,
      points: points.map(([x, y]): Point => [x + across, y + down]),
    })),
  );

export const lower = (d: string, by: number): string => shift(d, 0, by);

/** An outline and its mirror image, as one. */
export const both = (d: string): string => d + mirror(d);

/** Closes a half outline (open, from centre to centre) with its own mirror image. */
export function half(d: string): string {
  const steps = parse(mirror(d));
  const back: Step[] = [];
  for (let i = steps.length - 1; i > 0; i -= 1) {
    const points = steps[i]?.points ?? [];
    const end = steps[i - 1]?.points.at(-1);
    if (end === undefined) continue;
    back.push({ op: steps[i]?.op ?? 'L', points: [...points.slice(0, -1).toReversed(), end] });
  }
  const foot = steps.at(-1)?.points.at(-1) ?? [CENTRE, 0];
  return d + write([{ op: 'L', points: [foot] }, ...back]) + 'Z';
}

/** A hand of its own for each picture, so that no two lie alike. */
export function handOf(name: string): Hand {
  let seed = 7;
  for (const letter of name) seed = (seed * 31 + letter.charCodeAt(0)) % 6283;
  const phase = seed / 1000;
  return ([x, y]) => [
    x + 1.7 * Math.sin(y / 58 + phase) + 0.7 * Math.sin(y / 23 + 2 * phase + x / 90),
    y + 1.3 * Math.sin(x / 49 + phase * 1.7) + 0.5 * Math.sin(x / 21 + y / 80),
  ];
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Numbers as short as SVG allows: `-.5` instead of ` -0.5`. */
const tight = (values: readonly number[]): string =>
  values
    .map((value) => String(round(value, 1)).replace(/^(-?)0\./, '$1.'))
    .map((text, i) => (i === 0 || text.startsWith('-') ? text : ` ${text}`))
    .join('');

/** A straight edge becomes a slack one, so that a seam laid on it by the same hand stays on it. */
function slack(from: Point, to: Point, hand: Hand): Point[] | undefined {
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 50) return undefined;
  const [a, middle, b] = [
    hand(from),
    hand([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]),
    hand(to),
  ];
  return [[2 * middle[0] - (a[0] + b[0]) / 2, 2 * middle[1] - (a[1] + b[1]) / 2], b];
}

/** The outline as it is written to the file: drawn by hand, relative, to `digits` of a pixel. */
export function trace(d: string, hand: Hand, digits = 1): string {
  let drawn: Point = [0, 0];
  let meant: Point = [0, 0];
  let text = '';
  let last = '';
  for (const { op, points } of parse(d)) {
    if (op === 'Z') {
      text += 'z';
      last = 'z';
      continue;
    }
    const end = points.at(-1) ?? meant;
    const loose = op === 'L' ? slack(meant, end, hand) : undefined;
    const bent = loose ?? points.map(hand);
    const code = op === 'M' ? 'M' : loose === undefined ? op.toLowerCase() : 'q';
    const origin: Point = op === 'M' ? [0, 0] : drawn;
    const values = bent.flatMap(([x, y]) => [
      round(x, digits) - origin[0],
      round(y, digits) - origin[1],
    ]);
    const numbers = tight(values);
    text +=
      code === last && code !== 'M'
        ? (numbers.startsWith('-') ? '' : ' ') + numbers
        : code + numbers;
    last = code;
    const tip = bent.at(-1) ?? drawn;
    drawn = [round(tip[0], digits), round(tip[1], digits)];
    meant = end;
  }
  return text;
}
