import { ASK_AGAIN_MS, type FailureBudget } from '../domain/failure.ts';
import { backoffMs, type Timing } from '../domain/timing.ts';

/**
 * Realtime as a doorbell: it only says that there is something to pull. It may ring twice, late or
 * not at all; what it carries is not looked at.
 */
export interface Doorbell {
  /** Rings for this shopper from now on; calling it again for the same one changes nothing. */
  answerFor(uid: string, ring: () => void): void;
  silence(): void;
}

/** What a subscription tells. */
export interface Listener {
  readonly onJoined: () => void;
  readonly onRing: () => void;
  /** It will not ring any more. */
  readonly onEnd: () => void;
}

/** Subscribes to a shopper's rows; returns what ends it, after which nothing is told. */
export type Subscribe = (uid: string, listener: Listener) => () => void;

/** The first pause is longer than after a failed request: each join also costs a pull. */
const FIRST_PAUSE_MS = 4000;
/** A subscription that has held for so long was a good one: the pauses begin anew. */
const STABLE_MS = 60_000;

/**
 * Keeps a subscription for the shopper who is answered for, and joins again after a pause when it
 * ends. A realtime service that closes what has just joined is not stormed.
 */
export function keptDoorbell(
  subscribe: Subscribe,
  timing: Timing & { readonly now: () => number },
  budget: FailureBudget,
): Doorbell {
  let answered: { readonly uid: string; readonly ring: () => void } | null = null;
  let leave: (() => void) | null = null;
  let timer: number | null = null;
  let failures = 0;

  function silence(): void {
    answered = null;
    failures = 0;
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    drop();
  }

  function drop(): void {
    leave?.();
    leave = null;
  }

  function join(own: NonNullable<typeof answered>): void {
    if (!budget.take('background')) {
      joinAfter(own, ASK_AGAIN_MS);
      return;
    }
    let joinedAtMs = Infinity;
    leave = subscribe(own.uid, {
      onRing: own.ring,
      onJoined() {
        joinedAtMs = timing.now();
        // What happened before is pulled.
        own.ring();
      },
      onEnd() {
        if (answered !== own) return;
        drop();
        const isStable = timing.now() - joinedAtMs >= STABLE_MS;
        failures = isStable ? 1 : failures + 1;
        budget.settle(!isStable);
        joinAfter(own, backoffMs(failures, FIRST_PAUSE_MS, timing.random));
      },
    });
  }

  function joinAfter(own: NonNullable<typeof answered>, ms: number): void {
    timer = timing.setTimeout(() => {
      timer = null;
      join(own);
    }, ms);
  }

  return {
    silence,
    answerFor(uid, ring) {
      if (answered?.uid === uid) return;
      silence();
      answered = { uid, ring };
      join(answered);
    },
  };
}
