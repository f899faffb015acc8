import type { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import type { TokenSource } from './shopper.ts';

/**
 * Realtime as a doorbell: it only says that there is something to pull. It may ring twice, late or
 * not at all; what it carries is not looked at.
 */
export interface Doorbell {
  /** Rings for this shopper from now on; calling it again for the same one changes nothing. */
  answerFor(uid: string, ring: () => void): void;
  silence(): void;
}

export function realtimeDoorbell(url: string, key: string, tokens: TokenSource): Doorbell {
  let listeningFor: string | null = null;
  let client: RealtimeClient | null = null;
  let channel: RealtimeChannel | null = null;

  function silence() {
    listeningFor = null;
    void channel?.unsubscribe();
    void client?.disconnect();
    channel = null;
    client = null;
  }

  return {
    silence,
    answerFor(uid, ring) {
      if (listeningFor === uid) return;
      silence();
      listeningFor = uid;
      // The library comes when somebody is signed in and online: not with the first screen.
      void connect(uid, ring).catch(silence);
    },
  };

  async function connect(uid: string, ring: () => void): Promise<void> {
    const { REALTIME_SUBSCRIBE_STATES, RealtimeClient } = await import('@supabase/supabase-js');
    if (listeningFor !== uid) return;
    client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
      params: { apikey: key },
      accessToken: async () => {
        const answer = await tokens.accessToken(uid);
        return answer.ok ? answer.token : null;
      },
    });
    // The token must be known before the channel joins: a join under way is not given it later.
    await client.setAuth();
    const filter = `user_id=eq.${uid}`;
    channel = client
      .channel(`sync_user:${uid}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'sync_user', filter }, ring)
      .subscribe((status) => {
        if (listeningFor !== uid) return;
        // Joined, or joined again: what happened before is pulled.
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) ring();
        // Closed, as when the token has run out: the next run of the sync listens anew.
        if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) silence();
      });
  }
}
