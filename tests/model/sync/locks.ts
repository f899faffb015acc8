/** The Web Locks of one phone, as far as the engine uses them: exclusive, first come, first served. */
import type { Actor, Clock } from './clock.ts';

interface Waiting {
  readonly tab: Actor;
  readonly grant: () => void;
}

export class PhoneLocks {
  #clock: Clock<Actor>;
  #queues = new Map<string, Waiting[]>();

  constructor(clock: Clock<Actor>) {
    this.#clock = clock;
  }

  request(
    tab: Actor,
    name: string,
    { signal }: { signal?: AbortSignal },
    work: () => unknown,
  ): Promise<unknown> {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = queue.indexOf(waiting);
        if (at < 0) return;
        queue.splice(at, 1);
        if (at === 0) this.#grantFirst(queue);
      };
      const giveUp = () => {
        leave();
        reject(signal?.reason as Error);
      };
      const grant = () => {
        signal?.removeEventListener('abort', giveUp);
        Promise.resolve(work()).then(resolve, reject).finally(leave);
      };
      const waiting: Waiting = { tab, grant };
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal?.addEventListener('abort', giveUp);
      queue.push(waiting);
      if (queue.length === 1) this.#grantFirst(queue);
    });
  }

  /** What a closed tab held or waited for is free. */
  release(tab: Actor): void {
    for (const queue of this.#queues.values()) {
      const wasFirst = queue[0]?.tab === tab;
      const others = queue.filter((each) => each.tab !== tab);
      queue.splice(0, queue.length, ...others);
      if (wasFirst) this.#grantFirst(queue);
    }
  }

  #grantFirst(queue: readonly Waiting[]): void {
    const [first] = queue;
    if (!first) return;
    this.#clock.after(0, () => (queue[0] === first ? first.grant() : undefined), first.tab);
  }
}
