/** A channel of the embedded Realtime, with answers of the database that come late. */
import { expect, test } from 'vitest';
import { Channel } from '../../supabase/local/realtime-channel.ts';
import type { RealtimeFrame } from '../../supabase/local/realtime-frames.ts';

const TABLE = { schema: 'public', table: 'sync_user', columns: [], key: ['user_id'] };
const CHANGE = {
  schema: 'public',
  table: 'sync_user',
  type: 'UPDATE',
  commit_timestamp: '2026-11-26T00:00:00Z',
  record: { user_id: 'ada', ver: 1 },
  old_record: null,
  errors: null,
} as const;

const frame = (event: string, payload: RealtimeFrame['payload']): RealtimeFrame => ({
  joinRef: '1',
  ref: '1',
  topic: 'realtime:versions',
  event,
  payload,
});

/** How many changes a channel with this shopper's token sends, if another token arrives while rights are checked. */
async function sentAfter(shopper: string, nextToken: string): Promise<number> {
  const sent: string[] = [];
  const check = Promise.withResolvers<boolean>();
  const join = frame('phx_join', {
    access_token: shopper,
    config: { postgres_changes: [{ event: '*', schema: 'public', table: 'sync_user' }] },
  });
  const channel = new Channel(join, {
    published: [TABLE],
    keyClaims: { role: 'anon' },
    readToken: (token) => ({ ok: true, claims: { role: 'authenticated', sub: token } }),
    maySee: () => check.promise,
    send: ({ event }) => sent.push(event),
    onEnd: () => undefined,
  });
  channel.join(join);
  const forwarded = channel.forward(CHANGE);
  channel.receive(frame('access_token', { access_token: nextToken }));
  check.resolve(true);
  await forwarded;
  return sent.filter((event) => event === 'postgres_changes').length;
}

test('a change is sent though the shopper’s token was renewed meanwhile, but not to another shopper', async () => {
  expect(await sentAfter('ada', 'ada')).toBe(1);
  expect(await sentAfter('ada', 'eve')).toBe(0);
});
