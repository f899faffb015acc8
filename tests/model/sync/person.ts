/**
 * Oracle: who may be shown on a phone and sent for. After a login or logout every tab has a moment
 * to hear of it; then it shows nobody else any more, and sends nothing for anybody else.
 */
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

const GRACE_MS = 3000;

export class Person {
  #world: World;
  /** Nobody is always allowed. */
  #allowed = new Set<string>();
  /** Of whom the device could not be rid, which they were told. */
  #unforgotten = new Set<string>();
  #sinceMs = 0;
  /** The tabs of logins and logouts that are under way; those of a tab that dies are over. */
  #under = new Set<{ readonly tab: Tab }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Somebody logs in, or out for null. The work says whether they did. */
  async change(tab: Tab, uid: string | null, work: () => Promise<boolean>): Promise<void> {
    const isAlone = !this.isChanging;
    const own = { tab };
    this.#under.add(own);
    if (uid !== null) this.#allowed.add(uid);
    let isDone = false;
    try {
      isDone = await work();
    } finally {
      this.#under.delete(own);
      this.#sinceMs = this.#world.clock.nowMs;
      // Where two of them meet, any may be the last.
      if (isDone && isAlone && !this.isChanging) this.reset(uid);
      if (uid === null && !isDone) for (const each of this.#allowed) this.#unforgotten.add(each);
      if (uid === null && isDone) this.#unforgotten.clear();
    }
  }

  get isChanging(): boolean {
    return [...this.#under].some(({ tab }) => !tab.isDead);
  }

  reset(uid: string | null): void {
    this.#allowed = new Set(uid === null ? [] : [uid]);
    this.#sinceMs = this.#world.clock.nowMs;
  }

  /** Whether a tab may still have the shopper before. */
  allows(tab: Tab, uid: string): boolean {
    if (this.#allowed.has(uid) || this.#unforgotten.has(uid) || this.isChanging) return true;
    const knownMs = Math.max(this.#sinceMs, tab.awakeSinceMs);
    return this.#world.clock.nowMs < knownMs + GRACE_MS;
  }

  check(tab: Tab): void {
    const shown = tab.modules?.shopperStore.snapshot()?.shopper.uid;
    if (shown === undefined || tab.isDead || tab.isFrozen || this.allows(tab, shown)) return;
    this.#world.verdicts.break(6, `${tab.name} shows ${shown.slice(0, 4)}, who has logged out`);
  }
}
