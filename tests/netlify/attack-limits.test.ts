/** How many requests from one IP address the functions and the auth service answer before they say 429. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@netlify/functions';
import { describe, expect, test } from 'vitest';
import { SlidingWindow } from '../../supabase/local/sliding-window.ts';
import { clientOf } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { fetchUnnormalised } from './small-site.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../netlify/functions');
const NAMES = readdirSync(FUNCTIONS_FOLDER).map((file) => file.replace('.ts', ''));
const shop = await openShopForFile({ limits: true, payments: true });

/** Posts to a function `times` times without a token. Returns how many answers had each status. */
async function postTimes(name: string, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < times; i += 1) {
    const answer = await fetch(`${shop.url}/.netlify/functions/${name}`, { method: 'POST' });
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return counts;
}

describe('too many requests from one IP address', () => {
  test.each(['create-checkout-session', 'create-paypal-order', 'capture-paypal-order'])(
    'for a payment by %s are told to wait, and others are still answered',
    async (name) => {
      expect(await postTimes(name, 40)).toEqual({ 401: 30, 429: 10 });
      expect(await postTimes('undo-import', 1)).toEqual({ 401: 1 });
    },
  );

  test('have a limit in every function that can be called by its address', async () => {
    for (const name of NAMES) {
      const { config } = (await import(
        /* @vite-ignore */ `../../netlify/functions/${name}.ts`
      )) as { config?: Config };
      // A scheduled function takes no path, and so no limit.
      if (config && 'schedule' in config) continue;
      const path = `/.netlify/functions/${name}`;
      expect(config, name).toMatchObject({ path, rateLimit: { aggregateBy: ['ip', 'domain'] } });
      // Netlify accepts no window of more than 180 seconds.
      expect(config?.rateLimit?.windowSize, name).toBeLessThanOrEqual(180);
    }
  });
});

test('a burst of webhooks is not limited, nor are the parts of an import of a million rows', async () => {
  expect(await postTimes('stripe-webhook', 200)).toEqual({ 400: 200 });
  expect(await postTimes('paypal-webhook', 200)).toEqual({ 400: 200 });
  expect(await postTimes('upload-csv', 300)).toEqual({ 401: 300 });
});

test('one IP address may ask for 30 mails and try 150 passwords, and then must wait', async () => {
  const { auth } = clientOf(shop);
  const MAILS = 30;
  const GUESSES = 150;
  const codes: (string | undefined)[] = [];
  for (let i = 0; i < MAILS + 5; i += 1) {
    codes.push((await auth.resetPasswordForEmail('nobody@weft.test')).error?.code);
  }
  expect(codes.filter((code) => code === 'over_email_send_rate_limit')).toHaveLength(5);
  const guesses = await Promise.all(
    Array.from({ length: GUESSES + 10 }, () =>
      auth.signInWithPassword({ email: 'nobody@weft.test', password: 'secret-0' }),
    ),
  );
  const rejected = guesses.filter(({ error }) => error?.code === 'over_request_rate_limit');
  expect(rejected).toHaveLength(10);
});

test('a sender who waits as long as the answer says is answered again', () => {
  let nowMs = 0;
  const slidingWindow = new SlidingWindow(() => nowMs);
  const limit = { requests: 2, seconds: 60 };
  expect([slidingWindow.take('a', limit), slidingWindow.take('a', limit)]).toEqual([null, null]);
  nowMs = 20_500;
  const waitSeconds = Math.ceil(limit.seconds - nowMs / 1000);
  expect(slidingWindow.take('a', limit)).toBe(waitSeconds);
  expect(slidingWindow.take('b', limit)).toBeNull();
  nowMs += waitSeconds * 1000;
  expect(slidingWindow.take('a', limit)).toBeNull();
});

test.each([
  '/auth/v1/%76erify',
  '/auth/v1/%2e%2e/%2e%2e/_system/info',
  '/rest/v1/../../_system/info',
  '/rest/v1/%2e%2e/%2e%2e/_system/config',
])('no other spelling of an address reaches the backend past its limits: %s', async (path) => {
  expect((await fetchUnnormalised(shop, path, { method: 'POST' })).status).toBe(404);
});
