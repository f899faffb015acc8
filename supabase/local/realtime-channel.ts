/** One topic that one socket has joined: the rights of its token and the changes it subscribes to. */
import { fieldsOf } from '../../src/domain/fields.ts';
import type { Binding } from './realtime-bindings.ts';
import { bindingOf, isTableOf } from './realtime-bindings.ts';
import type { PublishedTable, RowChange } from './realtime-changes.ts';
import type { RealtimeFrame } from './realtime-frames.ts';
import type { Claims, Verdict } from './token.ts';

export interface ChannelContext {
  readonly published: readonly PublishedTable[];
  /** The rights of the socket's key, for a channel without a token. */
  readonly keyClaims: Claims;
  readToken(token: string): Verdict;
  maySee(claims: Claims, table: PublishedTable, change: RowChange): Promise<boolean>;
  send(frame: RealtimeFrame): void;
  /** Called when the channel has closed itself. */
  onEnd(channel: Channel): void;
}

/** Node's timers fire at once for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class Channel {
  readonly topic: string;
  readonly #joinRef: string | null;
  readonly #context: ChannelContext;
  #claims: Claims;
  #bindings: readonly Binding[] = [];
  #expiry: NodeJS.Timeout | undefined;

  constructor(join: RealtimeFrame, context: ChannelContext) {
    this.topic = join.topic;
    this.#joinRef = join.joinRef ?? join.ref;
    this.#context = context;
    this.#claims = context.keyClaims;
  }

  /** Answers the join; false when it was rejected. */
  join({ ref, payload }: RealtimeFrame): boolean {
    const verdict = this.#rightsOf(payload['access_token']);
    const config = fieldsOf(payload['config']);
    if (!verdict.ok || config['private'] === true) {
      const reason = verdict.ok ? 'Unauthorized: private channels are not here' : verdict.reason;
      this.#reply(ref, 'error', { reason });
      return false;
    }
    this.#adopt(verdict.claims);
    const requests = config['postgres_changes'];
    this.#bindings = (Array.isArray(requests) ? requests : []).map((request) =>
      bindingOf(request, this.#context.published),
    );
    const postgresChanges = this.#bindings.map(({ id, requested }) => ({ id, ...requested }));
    this.#reply(ref, 'ok', { postgres_changes: postgresChanges });
    this.#reportSubscription();
    return true;
  }

  /** Handles a message on this topic after the join. */
  receive({ ref, event, payload }: RealtimeFrame): void {
    if (event === 'access_token') {
      // Realtime ignores a key or a missing token here, and the channel keeps its token.
      const token = payload['access_token'];
      if (!isAccessToken(token)) return;
      const verdict = this.#context.readToken(token);
      if (!verdict.ok) return this.#shutDown(verdict.reason);
      this.#adopt(verdict.claims);
      this.#reportSubscription();
    } else if (event === 'phx_leave') {
      this.#reply(ref, 'ok', {});
      this.#push('phx_close', {}, this.#joinRef);
      this.end();
      this.#context.onEnd(this);
    } else if (ref !== null) {
      this.#reply(ref, 'error', { reason: `${event} is not supported here` });
    }
  }

  /** Sends a change to the client, if this channel subscribes to it and its user may see the row. */
  async forward(change: RowChange): Promise<void> {
    const bindings = this.#bindings.filter((binding) => binding.matches(change));
    const table = bindings[0]?.tables.find((candidate) => isTableOf(change, candidate));
    if (table === undefined) return;
    const claims = this.#claims;
    const isVisible = await this.#context.maySee(claims, table, change);
    // Meanwhile the channel may have ended or received another user's token.
    if (!isVisible || claims.sub !== this.#claims.sub || this.#bindings.length === 0) return;
    const { record, old_record: oldRecord, ...common } = change;
    this.#push('postgres_changes', {
      ids: bindings.map(({ id }) => id),
      data: {
        ...common,
        columns: table.columns,
        ...(record === null ? {} : { record }),
        ...(oldRecord === null ? {} : { old_record: oldRecord }),
      },
    });
  }

  end(): void {
    clearTimeout(this.#expiry);
    this.#bindings = [];
  }

  #rightsOf(token: unknown): Verdict {
    return isAccessToken(token)
      ? this.#context.readToken(token)
      : { ok: true, claims: this.#context.keyClaims };
  }

  /** Uses a token's rights from now on, and closes the channel when the token expires. */
  #adopt(claims: Claims): void {
    this.#claims = claims;
    clearTimeout(this.#expiry);
    if (claims.exp === undefined) return;
    const leftMs = Math.min(claims.exp * 1000 - Date.now(), MAX_TIMER_MS);
    this.#expiry = setTimeout(
      () => this.#shutDown('InvalidJWTToken: Token has expired 0 seconds ago'),
      leftMs,
    );
    this.#expiry.unref();
  }

  /** Tells the client whether its subscriptions work, in Realtime's words. */
  #reportSubscription(): void {
    if (this.#bindings.length === 0) return;
    const unmatched = this.#bindings.find(({ tables }) => tables.length === 0);
    const common = { extension: 'postgres_changes', channel: this.topic.replace(/^realtime:/, '') };
    if (unmatched === undefined) {
      this.#push('system', { ...common, status: 'ok', message: 'Subscribed to PostgreSQL' });
      return;
    }
    const message =
      'Unable to subscribe to changes with given parameters. Please check Realtime is enabled ' +
      `for the given connect parameters: ${JSON.stringify(unmatched.requested)}`;
    this.#push('system', { ...common, status: 'error', message });
  }

  /** Closes the channel, because its token is no longer valid, and sends the reason. */
  #shutDown(message: string): void {
    const channel = this.topic.replace(/^realtime:/, '');
    this.#push('system', { extension: 'system', channel, status: 'error', message });
    this.#push('phx_close', {}, this.#joinRef);
    this.end();
    this.#context.onEnd(this);
  }

  #reply(ref: string | null, status: 'ok' | 'error', response: object): void {
    this.#push('phx_reply', { status, response }, ref);
  }

  #push(event: string, payload: RealtimeFrame['payload'], ref: string | null = null): void {
    this.#context.send({ joinRef: this.#joinRef, ref, topic: this.topic, event, payload });
  }
}

/** False for a key of the project, which supabase-js sends instead of a token while nobody is signed in. */
function isAccessToken(token: unknown): token is string {
  return typeof token === 'string' && !token.startsWith('sb_');
}
