/**
 * What trousers, jeans and shorts share: a leg from the waist to its hem, a band with a
 * button and loops, a fly. The top of the band stands at `top`, the crotch at `rise`.
 */
import { both, half } from './path.ts';
import type { Sheet } from './sheet.ts';

export interface Legs {
  readonly top: number;
  readonly rise: number;
  readonly foot: number;
  /** Distances from the centre line. */
  readonly waist: number;
  readonly hip: number;
  readonly outer: number;
  readonly inner: number;
}

/** One leg, from the centre seam to the outseam. */
function leg({ top, rise, foot, waist, hip, outer, inner }: Legs): string {
  const thigh = rise - 34;
  const long = foot - thigh;
  const x = (from: number): number => 200 + from;
  return (
    `M200 ${top + 6}L${x(waist)} ${top + 1}C${x(waist + (hip - waist) * 0.5)} ${top + 36} ${x(hip)} ${thigh - 62} ${x(hip)} ${thigh}` +
    `C${x(hip + 1)} ${thigh + long * 0.33} ${x(outer - (outer - hip) * 0.35)} ${thigh + long * 0.66} ${x(outer)} ${foot - 4}` +
    `Q${x((outer + inner) / 2)} ${foot + 3} ${x(inner)} ${foot}` +
    `C${x(inner * 0.9)} ${foot - long * 0.3} ${x(inner * 0.45)} ${rise + 70} 200 ${rise}Z`
  );
}

/** Both legs with the folds that hang from hip, crotch and knee. */
export function layLegs(sheet: Sheet, legs: Legs): void {
  const { top, rise, foot, hip, outer, inner } = legs;
  sheet.lining(
    half(
      `M200 ${top - 10}C232 ${top - 10} ${184 + legs.waist} ${top - 6} ${200 + legs.waist} ${top}L200 ${top + 12}`,
    ),
  );
  sheet.label(200, top - 7, 26);
  sheet.pair(leg(legs), { turn: 3, light: 'tube' });
  const mid = (outer + inner) / 2;
  sheet.fold(
    `203 ${rise - 6}`,
    `${210 + hip * 0.2} ${rise - 6}`,
    `${200 + hip * 0.62} ${rise - 34}`,
    10,
  );
  sheet.fold(
    `197 ${rise - 6}`,
    `${190 - hip * 0.2} ${rise - 6}`,
    `${200 - hip * 0.62} ${rise - 34}`,
    10,
  );
  sheet.fold(
    `203 ${rise + 4}`,
    `${214 + inner * 0.5} ${rise + 50}`,
    `${200 + mid * 0.8} ${rise + 74}`,
    12,
  );
  sheet.fold(
    `${202 - inner * 0.2} ${rise + 40}`,
    `${196 - inner} ${rise + 80}`,
    `${200 - mid * 0.9} ${rise + 92}`,
    12,
  );
  if (foot - rise < 150) return;
  const knee = hip + (outer - hip) * 0.4;
  sheet.fold(
    `${200 + knee - 4} ${rise + 96}`,
    `${200 + mid} ${rise + 128}`,
    `${206 + inner} ${rise + 116}`,
    11,
  );
  sheet.fold(
    `${204 - knee} ${rise + 112}`,
    `${200 - mid} ${rise + 138}`,
    `${196 - inner} ${rise + 120}`,
    11,
  );
  sheet.fold(
    `${200 + mid + 8} ${rise + 150}`,
    `${192 + mid} ${foot - 50}`,
    `${204 + mid} ${foot}`,
    13,
  );
  sheet.fold(`${194 - mid} ${rise + 150}`, `${206 - mid} ${foot - 50}`, `${196 - mid} ${foot}`, 13);
}

export interface Band {
  readonly deep: number;
  readonly thread?: string;
  readonly loops?: boolean;
  readonly button?: string;
}

export function layBand(
  sheet: Sheet,
  { top, waist }: Legs,
  { deep, thread, loops = true, button = '#4b3424' }: Band,
): void {
  const w = 200 + waist;
  const low = (x: number): string => `${x} ${top + deep}`;
  sheet.applied(
    half(
      `M200 ${top + 7}C230 ${top + 7} ${w - 14} ${top + 4} ${w + 0.5} ${top}L${w + 2.5} ${top + deep - 4}C${w - 14} ${top + deep + 1} 230 ${top + deep + 4} 200 ${top + deep + 4}`,
    ),
    {
      light: 'body',
      turn: 90,
    },
  );
  sheet.stitch(
    both(
      `M200 ${top + deep + 0.5}C230 ${top + deep + 0.5} ${w - 14} ${top + deep - 2.5} ${w + 2} ${top + deep - 7}`,
    ),
    thread,
  );
  sheet.seam(`M${low(200)}L200 ${top + 8}`);
  if (loops) {
    for (const at of [waist * 0.52, -waist * 0.52, waist * 0.93, -waist * 0.93]) {
      const x = 200 + at;
      const y = top + 4 - Math.abs(at) * 0.05;
      sheet.applied(
        `M${x - 3.5} ${y}L${x + 3.5} ${y}L${x + 3.5} ${y + deep}L${x - 3.5} ${y + deep}Z`,
      );
    }
  }
  sheet.buttons([`203 ${top + deep / 2 + 6}`], 3.8, button);
}

/** The fly: a seam on the centre line and the J that holds its facing down. */
export function layFly(sheet: Sheet, { top, rise }: Legs, deep: number, thread?: string): void {
  const from = top + deep + 4;
  const end = rise - 44;
  sheet.seam(`M200 ${from}L200 ${rise}`);
  sheet.stitch(`M217 ${from}L217 ${end - 26}C217 ${end - 6} 210 ${end} 201 ${end + 6}`, thread);
}
