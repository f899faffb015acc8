/** Drives an import through its faults: kills, revives, opens the page again and presses Resume. */
import type { Fault, Victim } from './fault-plan.ts';
import type { ImportTab, Said } from './import-tab.ts';
import type { ShopProcess } from './shop-process.ts';
import type { WatchedLine } from './watched-line.ts';

export class StruckImport {
  #file: string;
  #shop: ShopProcess;
  #line: WatchedLine;
  #tab: ImportTab;
  #tell: (words: string) => void;
  readonly counts = new Map<string, number>();

  constructor(
    file: string,
    shop: ShopProcess,
    line: WatchedLine,
    tab: ImportTab,
    tell: (words: string) => void,
  ) {
    this.#file = file;
    this.#shop = shop;
    this.#line = line;
    this.#tab = tab;
    this.#tell = tell;
  }

  /** @returns what the page says in the end, null when the import ended while no page was open */
  async through(faults: readonly Fault[]): Promise<Said | null> {
    const left = [...faults];
    let reached = this.#next(left);
    await this.#tab.start(this.#file);
    this.#tell('started');
    for (;;) {
      const came = await Promise.race([reached, this.#tab.end()]);
      if ('status' in came) {
        this.#tell(`the page says: ${came.status} ${came.totals}`);
        if (!came.status.startsWith('Import failed')) return came;
        // Told that it failed, a person presses Resume.
        this.#count('page said that it failed');
        if ((await this.#tab.resume(this.#file)) === 'over') throw new Error(came.status);
        continue;
      }
      const isOver = await this.#strike(came.fault, came.letGo);
      if (isOver) return null;
      reached = this.#next(left);
    }
  }

  /** Resolves at the moment of the next fault, never when there is none. */
  async #next(left: Fault[]): Promise<{ readonly fault: Fault; readonly letGo: () => void }> {
    const fault = left.shift();
    if (!fault) return new Promise(() => undefined);
    const letGo = await this.#line.until(fault.when);
    return { fault, letGo };
  }

  /** @returns whether the page that was opened again finds nothing left to do */
  async #strike(fault: Fault, letGo: () => void): Promise<boolean> {
    const { when, delayMs, dying, isTabClosed, deadMs, returning } = fault;
    await passed(delayMs);
    this.#tell(
      `part ${when.moment} (${when.count}), ${delayMs} ms later: ${dying.join(', ')} ` +
        `for ${deadMs} ms, back: ${returning.join(', ')}`,
    );
    for (const victim of dying) await this.#kill(victim, isTabClosed);
    this.#tell('dead');
    letGo();
    await passed(deadMs);
    let isOver = false;
    for (const victim of returning) {
      if ((await this.#revive(victim)) === 'over') isOver = true;
    }
    return isOver;
  }

  async #kill(victim: Victim, isTabClosed: boolean): Promise<void> {
    if (victim === 'line') {
      this.#count('network cut');
      this.#line.down();
      this.#tab.setOffline(true);
    } else if (victim === 'server') {
      this.#count('server killed');
      await this.#shop.kill();
      this.#line.drop();
    } else if (isTabClosed) {
      this.#count('tab closed');
      await this.#tab.closeTab();
    } else {
      this.#count('tab killed');
      await this.#tab.kill();
    }
  }

  async #revive(victim: Victim): Promise<string | null> {
    if (victim === 'server') {
      await this.#shop.open();
      this.#tell('server open');
      return null;
    }
    if (victim === 'line') {
      this.#line.up();
      this.#tab.setOffline(false);
      this.#tell('network back');
      return null;
    }
    const how = await this.#tab.reopen(this.#file);
    this.#count(`tab opened again: ${how}`);
    this.#tell(`tab opened again: ${how}`);
    return how;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
