/** Which deaths an import meets, and when: all from one seed. */
import type { Chance } from '../model/kit/chance.ts';
import { MOMENTS, type Trigger } from './watched-line.ts';

export type Victim = 'line' | 'server' | 'tab';

export interface Fault {
  readonly when: Trigger;
  /** Between the moment and the deaths. */
  readonly delayMs: number;
  /** In the order in which they die. */
  readonly dying: readonly Victim[];
  /** A tab may also be closed. */
  readonly isTabClosed: boolean;
  readonly deadMs: number;
  /** In the order in which they come back. */
  readonly returning: readonly Victim[];
}

const VICTIMS: readonly Victim[] = ['line', 'server', 'tab'];

/** One to four; the first comes early enough that an import of eight parts does not escape it. */
export function drawFaults(chance: Chance): Fault[] {
  return Array.from({ length: chance.between(1, 4) }, () => drawFault(chance));
}

function drawFault(chance: Chance): Fault {
  const count = chance.weighted([
    [4, 1],
    [2, 2],
    [1, 3],
    [1, 5],
  ]);
  const when = { moment: chance.pick(MOMENTS), count };
  const dying = shuffled(chance, VICTIMS).slice(
    0,
    chance.weighted([
      [5, 1],
      [3, 2],
      [1, 3],
    ]),
  );
  return {
    when,
    delayMs: chance.happens(0.5) ? 0 : chance.between(1, 400),
    dying,
    isTabClosed: chance.happens(0.3),
    deadMs: chance.between(0, 1500),
    returning: shuffled(chance, dying),
  };
}

function shuffled<T>(chance: Chance, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
