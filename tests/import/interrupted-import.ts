/** Runs an import with faults: kills line, server or tab, brings them back, and chooses the file again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, NO_SHOP_YET } from '../browser/proxy.ts';
import { MOMENTS, type RequestFaults, type Trigger } from '../browser/request-faults.ts';
import type { Chance } from '../model/kit/chance.ts';
import type { ImportTab, FinalWords } from './import-tab.ts';
import type { ShopProcess } from './shop-process.ts';

/** What is killed; `line` is the network between browser and server. */
const VICTIMS = ['line', 'server', 'tab'] as const;
type Victim = (typeof VICTIMS)[number];

/** One interruption of an import. */
interface Fault {
  readonly when: Trigger;
  /** From the trigger until the victims are killed. */
  readonly delayMs: number;
  readonly victims: readonly Victim[];
  /** Until the victims come back. */
  readonly downMs: number;
}

/** Draws one to four faults. The count of a trigger stays below the eight parts of an import. */
export function drawFaults(chance: Chance): Fault[] {
  return Array.from({ length: chance.between(1, 4) }, () => {
    const first = chance.pick(VICTIMS);
    return {
      when: { moment: chance.pick(MOMENTS), count: chance.pick([1, 1, 1, 1, 2, 2, 3, 5]) },
      delayMs: chance.happens(0.5) ? 0 : chance.between(1, 400),
      victims: VICTIMS.filter((victim) => victim === first || chance.happens(0.3)),
      downMs: chance.between(0, 1500),
    };
  });
}

/** One import with its faults; `counts` says what happened how often. */
export class InterruptedImport {
  #file: string;
  #shop: ShopProcess;
  #line: Line;
  #uploads: RequestFaults;
  #tab: ImportTab;
  #log: (line: string) => void;
  /** Faults, and how the page went on, by name. */
  readonly counts = new Map<string, number>();

  constructor(
    file: string,
    shop: ShopProcess,
    line: Line,
    uploads: RequestFaults,
    tab: ImportTab,
    log: (line: string) => void,
  ) {
    this.#file = file;
    this.#shop = shop;
    this.#line = line;
    this.#uploads = uploads;
    this.#tab = tab;
    this.#log = log;
  }

  /** Returns what the page says in the end, null when the import ended while no page was open. */
  async run(faults: readonly Fault[]): Promise<FinalWords | null> {
    const faultsLeft = [...faults];
    let nextFault = this.#triggerOf(faultsLeft.shift());
    await this.#tab.start(this.#file);
    this.#log('started');
    for (;;) {
      const event = await Promise.race([nextFault, this.#tab.waitForEnd()]);
      if ('status' in event) {
        this.#log(`the page says: ${event.status} ${event.totals}`);
        if (!event.status.startsWith('Import failed')) return event;
        // A person who reads that it failed starts it again.
        this.#count('page said that it failed');
        await this.#tab.start(this.#file);
        continue;
      }
      const isOver = await this.#interrupt(event.fault, event.release);
      if (isOver) return null;
      nextFault = this.#triggerOf(faultsLeft.shift());
    }
  }

  /**
   * Resolves at the moment of the fault; never without a fault. The line may hold an answer of the shop then,
   * until `release` is called.
   */
  async #triggerOf(
    fault: Fault | undefined,
  ): Promise<{ readonly fault: Fault; readonly release: () => void }> {
    if (!fault) return new Promise(() => undefined);
    return { fault, release: await this.#uploads.waitFor(fault.when) };
  }

  /** Kills and revives what the fault names. Returns whether a page that was opened again finds the import ended. */
  async #interrupt(fault: Fault, release: () => void): Promise<boolean> {
    const { when, delayMs, victims, downMs } = fault;
    await sleep(delayMs);
    this.#log(`part ${when.moment} (${when.count}), ${delayMs} ms later: ${victims.join(', ')}`);
    for (const victim of victims) await this.#kill(victim);
    this.#log(`all are killed, for ${downMs} ms`);
    release();
    await sleep(downMs);
    // At once: a tab waits for its server.
    const areOver = await Promise.all(victims.map((victim) => this.#revive(victim)));
    return areOver.includes(true);
  }

  async #kill(victim: Victim): Promise<void> {
    this.#count(`${victim} killed`);
    if (victim === 'line') {
      this.#line.down();
      this.#tab.setOffline(true);
    } else if (victim === 'server') {
      await this.#shop.kill();
      this.#line.leadTo(NO_SHOP_YET);
    } else await this.#tab.kill();
  }

  /** Brings a victim back. Returns whether a tab finds the import ended. */
  async #revive(victim: Victim): Promise<boolean> {
    let isOver = false;
    if (victim === 'line') {
      this.#line.up();
      this.#tab.setOffline(false);
    } else if (victim === 'server') {
      await this.#shop.open();
      this.#line.leadTo(this.#shop.url);
    } else isOver = await this.#tab.reopen(this.#file);
    this.#log(`${victim} is back${isOver ? ', and the import is over' : ''}`);
    return isOver;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
