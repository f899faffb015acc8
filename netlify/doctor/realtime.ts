/** Whether Realtime takes a subscription, as the shop's phones make it. */
import { RealtimeClient } from '@supabase/supabase-js';
import { type Check, fault, type Finding, ok } from './finding.ts';
import { publicBackend, readerOf, settingsOrNull } from './settings.ts';

const TIMEOUT_MS = 10_000;
/** An account that does not exist. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const checkRealtime: Check = async (deployment) => {
  const backend = settingsOrNull(() => publicBackend(readerOf(deployment)));
  if (backend === null) return [];
  return [await checkSubscription(backend.url, backend.publishableKey)];
};

async function checkSubscription(url: string, key: string): Promise<Finding> {
  const client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    timeout: TIMEOUT_MS,
  });
  const table = { event: '*', schema: 'public', table: 'sync_user' } as const;
  const state = await new Promise<string>((resolve) => {
    const timer = setTimeout(resolve, TIMEOUT_MS, 'TIMED_OUT');
    client
      .channel(`sync_user:${NOBODY}`)
      .on('postgres_changes', { ...table, filter: `user_id=eq.${NOBODY}` }, () => undefined)
      .subscribe((status) => {
        clearTimeout(timer);
        resolve(status);
      });
  });
  await client.disconnect();
  if (state === 'SUBSCRIBED') return ok('Realtime', 'takes subscriptions');
  return fault(
    'Realtime',
    `takes no subscription (${state}): allow public access under Realtime > Settings.`,
  );
}
