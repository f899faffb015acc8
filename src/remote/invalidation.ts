import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { backoffMs, type Timing } from '../domain/timing.ts';
import type { TokenSource } from './auth/token-source.ts';

/**
 * Realtime as an invalidation: a message only says that there is something to pull. It may come twice,
 * late or not at all, and the page ignores its content.
 */
export interface Invalidation {
  /** Calls `invalidate` for this shopper from now on. A second call for the same shopper changes nothing. */
  follow(uid: string, invalidate: () => void): void;
  /** Whether a subscription is joined now. */
  readonly isJoined: boolean;
  stop(): void;
}

/** The callbacks of a subscription. */
export interface Listener {
  readonly onJoined: () => void;
  readonly onInvalidate: () => void;
  /** The subscription has ended; it calls nothing after this. */
  readonly onEnd: () => void;
}

/** Subscribes to a shopper's topic. Returns a function that unsubscribes; after that nothing is called. */
export type Subscribe = (uid: string, listener: Listener) => () => void;

/** Longer than the first pause after a failed request, because each join also causes a pull. */
const BEFORE_JOIN = { firstMs: 4000, mostMs: 60_000 };
/** After a subscription that lasted so long, the pauses begin at the first again. */
const STABLE_MS = 60_000;

/**
 * Keeps a subscription for one shopper, and joins again after a pause when it ends, so that a realtime
 * service that closes each join at once does not get a storm of requests.
 */
export function rejoiningInvalidation(
  subscribe: Subscribe,
  timing: Timing & { readonly now: () => number },
): Invalidation {
  let followed: { readonly uid: string; readonly invalidate: () => void } | null = null;
  let leave: (() => void) | null = null;
  let timer: number | null = null;
  let failures = 0;
  let isJoined = false;

  function stop(): void {
    followed = null;
    failures = 0;
    if (timer !== null) timing.clearTimeout(timer);
    timer = null;
    drop();
  }

  function drop(): void {
    isJoined = false;
    leave?.();
    leave = null;
  }

  function join(target: NonNullable<typeof followed>): void {
    let joinedAtMs = Infinity; // a subscription that has not joined is not stable
    leave = subscribe(target.uid, {
      onInvalidate: target.invalidate,
      onJoined() {
        joinedAtMs = timing.now();
        isJoined = true;
        // Pulls what changed before the join.
        target.invalidate();
      },
      onEnd() {
        if (followed !== target) return;
        drop();
        const isStable = timing.now() - joinedAtMs >= STABLE_MS;
        failures = isStable ? 1 : failures + 1;
        joinAfter(target, backoffMs(failures, BEFORE_JOIN, timing.random));
      },
    });
  }

  function joinAfter(target: NonNullable<typeof followed>, ms: number): void {
    timer = timing.setTimeout(() => {
      timer = null;
      join(target);
    }, ms);
  }

  return {
    stop,
    get isJoined() {
      return isJoined;
    },
    follow(uid, invalidate) {
      if (followed?.uid === uid) return;
      stop();
      followed = { uid, invalidate };
      join(followed);
    },
  };
}

/**
 * Subscribes to Supabase Realtime. A subscription ends with its first error. Otherwise realtime-js would
 * join again every second where the join succeeds and the channel then fails.
 */
export function realtimeSubscribe(url: string, key: string, tokens: TokenSource): Subscribe {
  return (uid, { onJoined, onInvalidate, onEnd }) => {
    let isLeft = false;
    let client: RealtimeClient | null = null;
    let channel: RealtimeChannel | null = null;

    // The tab loads the library when a shopper is signed in and online, not with the first screen.
    void connect().catch(() => {
      if (!isLeft) onEnd();
    });
    return () => {
      isLeft = true;
      void channel?.unsubscribe();
      void client?.disconnect();
    };

    async function connect(): Promise<void> {
      const { REALTIME_SUBSCRIBE_STATES, RealtimeClient } = await import('@supabase/supabase-js');
      if (isLeft) return;
      client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
        params: { apikey: key },
        accessToken: async () => {
          const answer = await tokens.accessToken(uid);
          return answer.ok ? answer.value : null;
        },
      });
      // The token must be set before the channel joins: realtime-js does not add it to a join under way.
      await client.setAuth();
      if (isLeft) return;
      // The database sends to this topic, which no other shopper may join.
      channel = client
        .channel(`shopper:${uid}`, { config: { private: true } })
        .on('broadcast', { event: 'changed' }, onInvalidate);
      channel.subscribe((status) => {
        if (isLeft) return;
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) onJoined();
        else onEnd();
      });
    }
  };
}
