/**
 * Realtime, which `@supabase/lite` lacks, as far as the shop uses it: a phone joins a channel in Phoenix's protocol
 * (version 2.0.0) and is told of each change of its shopper's row of `sync_user`. Hosted Realtime reads the
 * write-ahead log and asks the row's policy. Here a trigger calls NOTIFY, which Postgres delivers after the commit,
 * and the row goes to the channels whose token has its `user_id`, as that policy says.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { verify } from 'hono/jwt';
import { type WebSocket, WebSocketServer } from 'ws';
import { fieldsOf, parseJson } from '../../src/domain/fields.ts';
import type { Database } from './connection.ts';
import { messageWithoutStop } from './failures.ts';
import { Turns } from './turns.ts';

export interface RealtimeKeys {
  readonly publishableKey: string;
  readonly jwtSecret: string;
}

export interface Realtime {
  /** Answers a request to upgrade to a websocket at any path below `/realtime/v1`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** How many sockets are open now. */
  readonly socketCount: number;
  close(): Promise<void>;
}

const NOTIFY_CHANNEL = 'weft_realtime';
const MAX_MESSAGE_BYTES = 1_000_000;
/** Of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;

/** Made before the migrations, as on hosted Supabase, so that they can add their table to it. */
export const PUBLICATION = `
  do $$ begin
    if not exists (select from pg_publication where pubname = 'supabase_realtime') then
      create publication supabase_realtime;
    end if;
  end $$`;

/** Makes the database tell of each change of `sync_user`. No migration does, because hosted databases need it not. */
export async function notifyOfChanges(database: Database): Promise<void> {
  await database.query('create schema if not exists realtime');
  await database.query(`
    create or replace function realtime.notify_change() returns trigger
    language plpgsql set search_path = '' as $$
    begin
      perform pg_notify('${NOTIFY_CHANNEL}', jsonb_build_object('type', tg_op, 'record', to_jsonb(new))::text);
      return null;
    end $$`);
  await database.query(`
    create or replace trigger notify_realtime after insert or update on public.sync_user
    for each row execute function realtime.notify_change()`);
}

export async function openRealtime(database: Database, keys: RealtimeKeys): Promise<Realtime> {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const phones = new Map<WebSocket, Phone>();
  const stopListening = await database.listen(NOTIFY_CHANNEL, (payload) => {
    for (const phone of phones.values()) phone.tell(JSON.parse(payload) as RowChange);
  });
  return {
    upgrade(request, socket, head) {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (searchParams.get('apikey') !== keys.publishableKey) {
        return rejectUpgrade(socket, '401 Unauthorized');
      }
      server.handleUpgrade(request, socket, head, (peer) => {
        const phone = new Phone((text) => peer.send(text), keys.jwtSecret);
        phones.set(peer, phone);
        peer.on('message', (message) => phone.receive((message as Buffer).toString()));
        // `ws` closes the connection by itself when a frame breaks the protocol or is too long.
        peer.on('error', () => undefined);
        peer.once('close', () => phones.delete(peer));
      });
    },
    get socketCount() {
      return phones.size;
    },
    async close() {
      await stopListening();
      for (const peer of phones.keys()) peer.close(GOING_AWAY);
    },
  };
}

/** @param status code and reason, such as `404 Not Found` */
export function rejectUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** As the trigger writes it. */
interface RowChange {
  readonly type: 'INSERT' | 'UPDATE';
  readonly record: Readonly<Record<string, unknown>>;
}

/** A topic that a phone has joined. */
interface Channel {
  readonly topic: string;
  readonly joinRef: unknown;
  /** Whose row it is told of; undefined for a visitor's channel, which is told of none. */
  shopper: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

/** The id of the one subscription that a channel can have. */
const SUBSCRIPTION = 1;

/** The channels of one socket. */
class Phone {
  readonly #channels = new Map<string, Channel>();
  readonly #turns = new Turns();
  readonly #send: (text: string) => void;
  readonly #jwtSecret: string;

  constructor(send: (text: string) => void, jwtSecret: string) {
    this.#send = send;
    this.#jwtSecret = jwtSecret;
  }

  /** Answers the frames one after the other. */
  receive(text: string): void {
    void this.#turns.take(() => this.#answer(text));
  }

  async #answer(text: string): Promise<void> {
    const frame = parseJson(text);
    const [joinRef, ref, topic, event, body] = Array.isArray(frame) ? (frame as unknown[]) : [];
    if (typeof topic !== 'string') return;
    const payload = fieldsOf(body);
    const reply = (status: 'ok' | 'error', response: object) =>
      this.#push({ topic, joinRef }, 'phx_reply', { status, response }, ref);
    const channel = this.#channels.get(topic);
    if (event === 'phx_join') {
      const joined: Channel = { topic, joinRef, shopper: undefined };
      const problem = await this.#adopt(joined, payload['access_token']);
      if (problem !== null) return reply('error', { reason: problem });
      this.#channels.set(topic, joined);
      // The client compares these with what it has asked for.
      const [wanted] = subscriptionsIn(payload);
      reply('ok', { postgres_changes: wanted ? [{ id: SUBSCRIPTION, ...wanted }] : [] });
      this.#reportSubscription(joined);
    } else if (topic === 'phoenix') reply('ok', {});
    else if (channel === undefined) reply('error', { reason: 'unmatched topic' });
    else if (event === 'access_token') {
      const problem = await this.#adopt(channel, payload['access_token']);
      if (problem === null) this.#reportSubscription(channel);
      else this.#close(channel);
    } else if (event === 'phx_leave') {
      reply('ok', {});
      this.#close(channel);
    }
  }

  /** Tells the channels of the row's shopper. */
  tell({ type, record }: RowChange): void {
    const data = {
      schema: 'public',
      table: 'sync_user',
      type,
      commit_timestamp: new Date().toISOString(),
      // Realtime names their types here, by which the client would convert values; the shop reads none.
      columns: [],
      record,
      errors: null,
    };
    for (const channel of this.#channels.values()) {
      if (channel.shopper !== record['user_id']) continue;
      this.#push(channel, 'postgres_changes', { ids: [SUBSCRIPTION], data });
    }
  }

  /**
   * Gives a channel the rights of a token. A key instead of a token changes nothing: supabase-js sends one while
   * nobody is signed in.
   *
   * @returns what is wrong with the token; null for nothing
   */
  async #adopt(channel: Channel, token: unknown): Promise<string | null> {
    if (typeof token !== 'string' || token.startsWith('sb_')) return null;
    try {
      channel.shopper = (await verify(token, this.#jwtSecret, 'HS256'))['sub'];
      return null;
    } catch (thrown) {
      return messageWithoutStop(thrown);
    }
  }

  #reportSubscription({ topic, joinRef }: Channel): void {
    const channel = topic.replace(/^realtime:/, '');
    const message = 'Subscribed to PostgreSQL';
    const report = { extension: 'postgres_changes', channel, status: 'ok', message };
    this.#push({ topic, joinRef }, 'system', report);
  }

  #close(channel: Channel): void {
    this.#push(channel, 'phx_close', {});
    this.#channels.delete(channel.topic);
  }

  #push(
    { topic, joinRef }: Pick<Channel, 'topic' | 'joinRef'>,
    event: string,
    payload: Payload,
    ref: unknown = null,
  ): void {
    this.#send(JSON.stringify([joinRef, ref, topic, event, payload]));
  }
}

/** What the client asks to be told of. */
function subscriptionsIn(payload: Payload): readonly Payload[] {
  const requests = fieldsOf(payload['config'])['postgres_changes'];
  return Array.isArray(requests) ? requests.map(fieldsOf) : [];
}
