/** Runs an import with faults: kills line, server or tab, brings them back, and chooses the file again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, NO_SHOP_YET } from '../browser/proxy.ts';
import type { RequestFaults } from '../browser/request-faults.ts';
import type { Fault, Victim } from './fault-plan.ts';
import type { ImportTab, FinalWords } from './import-tab.ts';
import type { ShopProcess } from './shop-process.ts';

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
    const { when, delayMs, killed, isTabClosed, downMs, revived } = fault;
    await sleep(delayMs);
    this.#log(
      `part ${when.moment} (${when.count}), ${delayMs} ms later: ${killed.join(', ')} ` +
        `for ${downMs} ms, back: ${revived.join(', ')}`,
    );
    for (const victim of killed) await this.#kill(victim, isTabClosed);
    this.#log('all are killed');
    release();
    await sleep(downMs);
    // At once, in this order: a tab that comes first waits for its server.
    const continuations = await Promise.all(revived.map((victim) => this.#revive(victim)));
    return continuations.includes('over');
  }

  async #kill(victim: Victim, isTabClosed: boolean): Promise<void> {
    if (victim === 'line') {
      this.#count('network cut');
      this.#line.down();
      this.#tab.setOffline(true);
    } else if (victim === 'server') {
      this.#count('server killed');
      await this.#shop.kill();
      this.#line.leadTo(NO_SHOP_YET);
    } else if (isTabClosed) {
      this.#count('tab closed');
      await this.#tab.closeTab();
    } else {
      this.#count('tab killed');
      await this.#tab.kill();
    }
  }

  /** Brings a victim back. Returns how the page went on, null for other victims than the tab. */
  async #revive(victim: Victim): Promise<string | null> {
    if (victim === 'server') {
      await this.#shop.open();
      this.#line.leadTo(this.#shop.url);
      this.#log('server open');
      return null;
    }
    if (victim === 'line') {
      this.#line.up();
      this.#tab.setOffline(false);
      this.#log('network back');
      return null;
    }
    const continuation = await this.#tab.reopen(this.#file);
    this.#count(`tab opened again: ${continuation}`);
    this.#log(`tab opened again: ${continuation}`);
    return continuation;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
