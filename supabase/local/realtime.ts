/**
 * Realtime, which `@supabase/lite` lacks, as far as the shop uses it: a phone joins a private topic in Phoenix's
 * protocol (version 2.0.0), if the policies on `realtime.messages` let it, and is told of what the database sends to
 * that topic. Hosted Realtime reads the messages from the write-ahead log. Here `realtime.send` calls NOTIFY, which
 * Postgres delivers after the commit.
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

/**
 * The part of hosted Supabase's schema `realtime` that migrations and policies use, made before the migrations.
 * `may_join` asks for the one row of `messages` with the rights of a token, as hosted Realtime does at a join.
 */
export const REALTIME_SCHEMA = [
  'create schema if not exists realtime',
  'create table if not exists realtime.messages (extension text primary key)',
  'alter table realtime.messages enable row level security',
  `insert into realtime.messages values ('broadcast') on conflict do nothing`,
  'grant usage on schema realtime to anon, authenticated, service_role',
  'grant select on realtime.messages to anon, authenticated, service_role',
  `create or replace function realtime.topic() returns text language sql stable as $$
    select current_setting('realtime.topic', true) $$`,
  `create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
    returns void language sql as $$
    select pg_notify('${NOTIFY_CHANNEL}',
      json_build_object('topic', topic, 'event', event, 'payload', payload)::text) $$`,
  `create or replace function realtime.may_join(topic text, claims jsonb) returns boolean language plpgsql as $$
    declare
      may boolean;
    begin
      perform set_config('realtime.topic', topic, true), set_config('request.jwt.claims', claims::text, true),
        set_config('request.jwt.claim.sub', claims ->> 'sub', true), set_config('role', claims ->> 'role', true);
      select exists (select from realtime.messages) into may;
      perform set_config('role', 'none', true);
      return may;
    end $$`,
];

export async function openRealtime(database: Database, keys: RealtimeKeys): Promise<Realtime> {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const phones = new Map<WebSocket, Phone>();
  const mayJoin = async (topic: string, token: unknown): Promise<boolean> => {
    // A client that nobody has signed in to sends its key instead of a token.
    const isToken = typeof token === 'string' && !token.startsWith('sb_');
    const claims = isToken ? await verify(token, keys.jwtSecret, 'HS256') : { role: 'anon' };
    const [row] = await database.query('select realtime.may_join($1, $2::jsonb) as may', [
      topic,
      JSON.stringify(claims),
    ]);
    return row?.['may'] === true;
  };
  const stopListening = await database.listen(NOTIFY_CHANNEL, (payload) => {
    for (const phone of phones.values()) phone.tell(JSON.parse(payload) as Message);
  });
  return {
    upgrade(request, socket, head) {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (searchParams.get('apikey') !== keys.publishableKey) {
        return rejectUpgrade(socket, '401 Unauthorized');
      }
      server.handleUpgrade(request, socket, head, (peer) => {
        const phone = new Phone((text) => peer.send(text), mayJoin);
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

/** As `realtime.send` writes it. */
interface Message {
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A topic that a phone has joined. In frames its name begins with `realtime:`. */
interface Channel {
  readonly topic: string;
  readonly joinRef: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

const TOPIC_PREFIX = 'realtime:';

/** The channels of one socket. */
class Phone {
  readonly #channels = new Map<string, Channel>();
  readonly #turns = new Turns();
  readonly #send: (text: string) => void;
  readonly #mayJoin: (topic: string, token: unknown) => Promise<boolean>;

  /** @param mayJoin rejects where the token is invalid */
  constructor(
    send: (text: string) => void,
    mayJoin: (topic: string, token: unknown) => Promise<boolean>,
  ) {
    this.#send = send;
    this.#mayJoin = mayJoin;
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
      const isPrivate = fieldsOf(payload['config'])['private'] === true;
      const problem = isPrivate ? await this.#problemOf(topic, payload) : 'only private channels';
      if (problem !== null) return reply('error', { reason: problem });
      this.#channels.set(topic, { topic, joinRef });
      reply('ok', { postgres_changes: [] });
    } else if (topic === 'phoenix') reply('ok', {});
    else if (channel === undefined) reply('error', { reason: 'unmatched topic' });
    else if (event === 'access_token') {
      if ((await this.#problemOf(topic, payload)) !== null) this.#close(channel);
    } else if (event === 'phx_leave') {
      reply('ok', {});
      this.#close(channel);
    }
  }

  /** Tells the channel of the message's topic, if it is joined. */
  tell({ topic, event, payload }: Message): void {
    const channel = this.#channels.get(TOPIC_PREFIX + topic);
    if (channel) this.#push(channel, 'broadcast', { type: 'broadcast', event, payload });
  }

  /** Why the token in the payload gives no right to the topic; null where it does. */
  async #problemOf(topic: string, payload: Payload): Promise<string | null> {
    try {
      const may = await this.#mayJoin(topic.slice(TOPIC_PREFIX.length), payload['access_token']);
      return may
        ? null
        : 'Unauthorized: You do not have permissions to read from this Channel topic';
    } catch (thrown) {
      return messageWithoutStop(thrown);
    }
  }

  #close(channel: Channel): void {
    this.#push(channel, 'phx_close', {});
    this.#channels.delete(channel.topic);
  }

  #push({ topic, joinRef }: Channel, event: string, payload: Payload, ref: unknown = null): void {
    this.#send(JSON.stringify([joinRef, ref, topic, event, payload]));
  }
}
