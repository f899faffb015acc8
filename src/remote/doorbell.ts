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
    // Forgotten first: leaving a channel calls back that it is closed.
    const [ownChannel, ownClient] = [channel, client];
    [listeningFor, channel, client] = [null, null, null];
    void ownChannel?.unsubscribe();
    void ownClient?.disconnect();
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
    const socket = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
      params: { apikey: key },
      accessToken: async () => {
        const answer = await tokens.accessToken(uid);
        return answer.ok ? answer.token : null;
      },
    });
    client = socket;
    // The token must be known before the channel joins: a join under way is not given it later.
    await socket.setAuth();
    if (client !== socket) return;
    const filter = `user_id=eq.${uid}`;
    const own = socket
      .channel(`sync_user:${uid}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'sync_user', filter }, ring);
    channel = own;
    own.subscribe((status) => {
      if (channel !== own) return;
      // Joined, or joined again: what happened before is pulled.
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) ring();
      // Closed, as when the token has run out: the next run of the sync listens anew.
      if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) silence();
    });
  }
}
