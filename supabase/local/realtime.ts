/**
 * The part of Supabase Realtime that the shop uses: `postgres_changes` over the websocket at
 * `/realtime/v1/websocket`, in Phoenix's protocol. A subscriber receives only rows that its token's
 * user may select; for each change the database is asked with that user's rights.
 *
 * Broadcast, presence and private channels are missing.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Database } from './connection.ts';
import type { ChannelContext } from './realtime-channel.ts';
import { Channel } from './realtime-channel.ts';
import type { RowChange } from './realtime-changes.ts';
import { listenToChanges, maySee as maySeeChange, publishedTables } from './realtime-changes.ts';
import type { RealtimeFrame } from './realtime-frames.ts';
import { readFrame, writeFrame } from './realtime-frames.ts';
import type { Claims } from './token.ts';
import { readToken } from './token.ts';
import {
  acceptWebSocket,
  closePeer,
  GOING_AWAY,
  onText,
  rejectUpgrade,
  sendText,
} from './websocket.ts';

export interface RealtimeKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
}

export interface Realtime {
  /** Answers a request to upgrade to a websocket at any path below `/realtime/v1`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** How many sockets are open now. */
  readonly socketCount: number;
  close(): Promise<void>;
}

export async function openRealtime(database: Database, keys: RealtimeKeys): Promise<Realtime> {
  const published = await publishedTables(database);
  const sockets = new Map<WebSocket, Topics>();
  const maySee = onceForEqualClaims((claims, table, change) =>
    maySeeChange(database, claims, table, change),
  );
  let sending: Promise<unknown> = Promise.resolve();
  const stopListening = await listenToChanges(database, (change) => {
    // Sends one change after the other, so that a phone receives them in the order of commits.
    sending = sending.then(() => sendToAll(sockets.values(), change)).catch(() => undefined);
  });
  return {
    upgrade(request, socket, head) {
      const params = new URL(request.url ?? '', 'http://localhost').searchParams;
      const keyClaims = claimsOfKey(keys, params.get('apikey'));
      if (keyClaims === undefined) return rejectUpgrade(socket, '401 Unauthorized');
      acceptWebSocket(request, socket, head, (peer) => {
        const topics = new Topics({
          published,
          keyClaims,
          readToken: (token) => readToken(token, keys.jwtSecret, Date.now()),
          maySee,
          send: (frame) => sendText(peer, writeFrame(frame)),
        });
        sockets.set(peer, topics);
        onText(peer, (text) => {
          const frame = readFrame(text);
          if (frame !== undefined) topics.receive(frame);
        });
        peer.once('close', () => {
          sockets.delete(peer);
          topics.end();
        });
      });
    },
    get socketCount() {
      return sockets.size;
    },
    async close() {
      await stopListening();
      for (const peer of sockets.keys()) closePeer(peer, GOING_AWAY);
      await sending;
    },
  };
}

/** Asks once about a change for all channels whose tokens have the same claims. */
function onceForEqualClaims(maySee: ChannelContext['maySee']): ChannelContext['maySee'] {
  const answers = new WeakMap<RowChange, Map<string, Promise<boolean>>>();
  return (claims, table, change) => {
    const ofChange = answers.get(change) ?? new Map<string, Promise<boolean>>();
    answers.set(change, ofChange);
    const key = JSON.stringify(claims);
    const answer = ofChange.get(key) ?? maySee(claims, table, change);
    ofChange.set(key, answer);
    return answer;
  };
}

/** As on hosted Supabase: supabase.com/docs/guides/realtime/limits. */
const MAX_CHANNELS = 100;

/** The channels that one socket has joined, by topic. */
class Topics {
  readonly #channels = new Map<string, Channel>();
  readonly #context: Omit<ChannelContext, 'onEnd'>;

  constructor(context: Omit<ChannelContext, 'onEnd'>) {
    this.#context = context;
  }

  get channels(): Iterable<Channel> {
    return this.#channels.values();
  }

  receive(frame: RealtimeFrame): void {
    const { topic, event } = frame;
    const { send } = this.#context;
    if (topic === 'phoenix') return send(replyTo(frame, 'ok', {}));
    if (event === 'phx_join') return this.#join(frame);
    const channel = this.#channels.get(topic);
    if (channel !== undefined) channel.receive(frame);
    else send(replyTo(frame, 'error', { reason: 'unmatched topic' }));
  }

  end(): void {
    for (const channel of this.channels) channel.end();
  }

  #join(frame: RealtimeFrame): void {
    this.#channels.get(frame.topic)?.end();
    this.#channels.delete(frame.topic);
    if (!frame.topic.startsWith('realtime:')) {
      return this.#context.send(replyTo(frame, 'error', { reason: 'unmatched topic' }));
    }
    if (this.#channels.size >= MAX_CHANNELS) {
      const reason = `ChannelRateLimitReached: at most ${MAX_CHANNELS} channels`;
      return this.#context.send(replyTo(frame, 'error', { reason }));
    }
    const onEnd = ({ topic }: Channel) => void this.#channels.delete(topic);
    const channel = new Channel(frame, { ...this.#context, onEnd });
    if (channel.join(frame)) this.#channels.set(frame.topic, channel);
  }
}

async function sendToAll(sockets: Iterable<Topics>, change: RowChange): Promise<void> {
  for (const { channels } of sockets) {
    for (const channel of channels) await channel.forward(change);
  }
}

function claimsOfKey(keys: RealtimeKeys, key: string | null): Claims | undefined {
  if (key === keys.publishableKey) return { role: 'anon' };
  return key === keys.secretKey ? { role: 'service_role' } : undefined;
}

function replyTo(frame: RealtimeFrame, status: 'ok' | 'error', response: object): RealtimeFrame {
  return { ...frame, event: 'phx_reply', payload: { status, response } };
}
