/**
 * The part of Supabase Realtime that a shop uses: `postgres_changes` over the websocket at
 * `/realtime/v1/websocket`, in Phoenix's protocol. Whoever subscribes hears only of rows that the
 * user of the token may select, which is asked of the database, as that user, for each change.
 *
 * Not here: broadcast, presence, private channels.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Database } from './connection.ts';
import { Channel } from './realtime-channel.ts';
import type { PublishedTable, RowChange } from './realtime-changes.ts';
import { hearChanges, maySee, publishedTables } from './realtime-changes.ts';
import type { Frame, Version } from './realtime-frames.ts';
import { readFrame, writeFrame } from './realtime-frames.ts';
import type { Claims } from './token.ts';
import { readToken } from './token.ts';
import type { Peer } from './websocket.ts';
import { acceptWebSocket, GOING_AWAY, refuseUpgrade } from './websocket.ts';

export interface RealtimeKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
}

export interface Realtime {
  /** Answers a request to upgrade to a websocket at any path below `/realtime/v1`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sockets that are open now. */
  readonly sockets: number;
  close(): Promise<void>;
}

interface Socket {
  readonly peer: Peer;
  readonly channels: Map<string, Channel>;
}

export async function openRealtime(database: Database, keys: RealtimeKeys): Promise<Realtime> {
  const published = await publishedTables(database);
  const sockets = new Set<Socket>();
  let telling: Promise<unknown> = Promise.resolve();
  const stopListening = await hearChanges(database, (change) => {
    // One change after the other, so that a phone hears them in the order of their commits.
    telling = telling.then(() => tellAll(sockets, change)).catch(() => undefined);
  });

  function open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const params = new URL(request.url ?? '', 'http://localhost').searchParams;
    const keyClaims = claimsOfKey(keys, params.get('apikey'));
    if (keyClaims === undefined) return refuseUpgrade(socket, '401 Unauthorized');
    const rights = keyClaims;
    const version: Version = params.get('vsn') === '2.0.0' ? '2.0.0' : '1.0.0';
    const channels = new Map<string, Channel>();
    const peer = acceptWebSocket(request, socket, head, {
      onText(text) {
        const frame = readFrame(version, text);
        if (frame !== undefined) receive(frame);
      },
      onClose() {
        for (const channel of channels.values()) channel.end();
        sockets.delete(opened);
      },
    });
    if (peer === undefined) return;
    const opened: Socket = { peer, channels };
    sockets.add(opened);
    const send = (frame: Frame) => peer.send(writeFrame(version, frame));

    function receive(frame: Frame): void {
      const { topic, event } = frame;
      if (topic === 'phoenix') return send(replyTo(frame, 'ok', {}));
      if (event === 'phx_join') return join(frame);
      const channel = channels.get(topic);
      if (channel !== undefined) channel.receive(frame);
      else send(replyTo(frame, 'error', { reason: 'unmatched topic' }));
    }

    function join(frame: Frame): void {
      channels.get(frame.topic)?.end();
      channels.delete(frame.topic);
      if (!frame.topic.startsWith('realtime:')) {
        return send(replyTo(frame, 'error', { reason: 'unmatched topic' }));
      }
      const channel = new Channel(frame, {
        published,
        keyClaims: rights,
        readToken: (token) => readToken(token, keys.jwtSecret, Date.now()),
        maySee: (claims, table, change) => mayHear(database, claims, table, change),
        send,
        ended: ({ topic }) => void channels.delete(topic),
      });
      if (channel.join(frame)) channels.set(frame.topic, channel);
    }
  }

  return {
    upgrade: open,
    get sockets() {
      return sockets.size;
    },
    async close() {
      await stopListening();
      for (const { peer } of sockets) peer.close(GOING_AWAY);
      await telling;
    },
  };
}

async function tellAll(sockets: ReadonlySet<Socket>, change: RowChange): Promise<void> {
  for (const { channels } of sockets) {
    for (const channel of channels.values()) await channel.tell(change);
  }
}

/**
 * As on hosted Supabase, a deletion is told to everybody whose filter fits: the row is gone, so
 * nobody can be asked whether they might have seen it. It carries the primary key only.
 */
async function mayHear(
  database: Database,
  claims: Claims,
  table: PublishedTable,
  { record }: RowChange,
): Promise<boolean> {
  return record === null || maySee(database, claims, table, record);
}

function claimsOfKey(keys: RealtimeKeys, key: string | null): Claims | undefined {
  if (key === keys.publishableKey) return { role: 'anon' };
  return key === keys.secretKey ? { role: 'service_role' } : undefined;
}

function replyTo(frame: Frame, status: 'ok' | 'error', response: object): Frame {
  return { ...frame, event: 'phx_reply', payload: { status, response } };
}
