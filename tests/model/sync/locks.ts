/** The Web Locks of one phone: only exclusive ones, granted in the order of their requests. */
import type { SimulatedTab, Clock } from './clock.ts';

/** A request for a lock. The first of a queue holds the lock. */
interface LockRequest {
  readonly tab: SimulatedTab;
  readonly grant: () => void;
}

export class PhoneLocks {
  #clock: Clock<SimulatedTab>;
  /** By name of the lock. */
  #queues = new Map<string, LockRequest[]>();

  constructor(clock: Clock<SimulatedTab>) {
    this.#clock = clock;
  }

  /** Runs work once the tab holds the lock, as `navigator.locks.request`. Rejects when aborted before that. */
  request(
    tab: SimulatedTab,
    name: string,
    { signal }: { signal?: AbortSignal },
    work: () => unknown,
  ): Promise<unknown> {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        const index = queue.indexOf(lockRequest);
        if (index < 0) return;
        queue.splice(index, 1);
        if (index === 0) this.#grantFirst(queue);
      };
      const abort = () => {
        leaveQueue();
        reject(signal?.reason as Error);
      };
      const grant = () => {
        signal?.removeEventListener('abort', abort);
        Promise.resolve(work()).then(resolve, reject).finally(leaveQueue);
      };
      const lockRequest: LockRequest = { tab, grant };
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal?.addEventListener('abort', abort);
      queue.push(lockRequest);
      if (queue.length === 1) this.#grantFirst(queue);
    });
  }

  /** Frees the locks that a closed tab held, and removes its requests. */
  release(tab: SimulatedTab): void {
    for (const queue of this.#queues.values()) {
      const wasFirst = queue[0]?.tab === tab;
      const others = queue.filter((request) => request.tab !== tab);
      queue.splice(0, queue.length, ...others);
      if (wasFirst) this.#grantFirst(queue);
    }
  }

  #grantFirst(queue: readonly LockRequest[]): void {
    const [first] = queue;
    if (!first) return;
    // In a later task, as in a browser. By then the request may have been aborted.
    const grantIfFirst = () => (queue[0] === first ? first.grant() : undefined);
    this.#clock.after(0, grantIfFirst, first.tab);
  }
}
