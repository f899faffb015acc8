/** Draws from a seed what is killed during an import, when, and for how long. */
import type { Chance } from '../model/kit/chance.ts';
import { MOMENTS, type Trigger } from '../browser/request-faults.ts';
import { shuffled } from '../random.ts';

/** What is killed; `line` is the network between browser and server. */
export type Victim = 'line' | 'server' | 'tab';

/** One interruption of an import. */
export interface Fault {
  readonly when: Trigger;
  /** From the trigger until the first victim is killed. */
  readonly delayMs: number;
  /** In the order in which they are killed. */
  readonly killed: readonly Victim[];
  /** Whether a tab is closed instead of killed. */
  readonly isTabClosed: boolean;
  /** From the last kill until the first victim comes back. */
  readonly downMs: number;
  /** In the order in which they come back. */
  readonly revived: readonly Victim[];
}

const VICTIMS: readonly Victim[] = ['line', 'server', 'tab'];

/** Draws one to four faults. The count of a trigger stays below the eight parts of an import. */
export function drawFaults(chance: Chance): Fault[] {
  return Array.from({ length: chance.between(1, 4) }, () => drawFault(chance));
}

/** Draws one fault; a weighted list has pairs of weight and value. */
function drawFault(chance: Chance): Fault {
  const count = chance.weighted([
    [4, 1],
    [2, 2],
    [1, 3],
    [1, 5],
  ]);
  const when = { moment: chance.pick(MOMENTS), count };
  const victims = shuffled(VICTIMS, chance.next);
  const victimCount = chance.weighted([
    [5, 1],
    [3, 2],
    [1, 3],
  ]);
  const killed = victims.slice(0, victimCount);
  return {
    when,
    delayMs: chance.happens(0.5) ? 0 : chance.between(1, 400),
    killed,
    isTabClosed: chance.happens(0.3),
    downMs: chance.between(0, 1500),
    revived: shuffled(killed, chance.next),
  };
}
