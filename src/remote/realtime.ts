import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import type { Subscribe } from './invalidation.ts';
import type { TokenSource } from './auth/token-source.ts';

/**
 * Subscribes to Supabase Realtime. A subscription ends with its first error, because realtime-js by
 * itself would join again every second where the join succeeds and the channel then fails.
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
      const filter = `user_id=eq.${uid}`;
      channel = client
        .channel(`sync_user:${uid}`)
        .on(
          'postgres_changes',
          { event: '*', schema: 'public', table: 'sync_user', filter },
          onInvalidate,
        );
      channel.subscribe((status) => {
        if (isLeft) return;
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) onJoined();
        else onEnd();
      });
    }
  };
}
