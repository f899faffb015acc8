import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import type { TokenSource } from './auth/token-source.ts';

/**
 * Realtime as an invalidation: a message only says that there is something to pull. It may come twice,
 * late or not at all, and the page ignores its content.
 */
export interface Invalidation {
  /**
   * Calls `invalidate` for this shopper from now on. Call it after each pull: it joins again where the subscription
   * has ended, and otherwise changes nothing.
   */
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

/**
 * The shortest time between two joins for one shopper. Each join causes a pull, and each pull may join: a service
 * that closes each join at once would get a storm of both. Shorter than the time between two pulls of a tab that is
 * not joined (`sync/shopper.ts`), so that each of these joins again.
 */
const BETWEEN_JOINS_MS = 50_000;

/** Keeps one subscription, for one shopper. */
export function rejoiningInvalidation(subscribe: Subscribe, now: () => number): Invalidation {
  let followed: string | null = null;
  /** Null where there is no subscription, or it has ended. */
  let leave: (() => void) | null = null;
  let triedAtMs = 0;
  let isJoined = false;

  function end(): void {
    isJoined = false;
    leave?.();
    leave = null;
  }

  return {
    get isJoined() {
      return isJoined;
    },
    follow(uid, invalidate) {
      const mayWait = leave !== null || now() - triedAtMs < BETWEEN_JOINS_MS;
      if (followed === uid && mayWait) return;
      end();
      followed = uid;
      triedAtMs = now();
      leave = subscribe(uid, {
        onInvalidate: invalidate,
        onJoined() {
          isJoined = true;
          // Pulls what changed before the join.
          invalidate();
        },
        onEnd: end,
      });
    },
    stop() {
      followed = null;
      end();
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
