/** The embedded shop as a deployment, for a machine on which no other is configured. */
import { join } from 'node:path';
import { openBackend } from '../../supabase/local/backend.ts';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { buildQuietly } from '../local/build-quietly.ts';
import { startHost } from '../local/host.ts';
import { type LocalPayments, openPayments } from '../local/payments.ts';
import { ROOT } from '../local/shop.ts';
import type { Deployment } from './finding.ts';

/** Opens a shop in memory, gives `work` its variables, and closes it. */
export async function withEmbeddedShop(
  work: (environment: Deployment['environment']) => Promise<void>,
): Promise<void> {
  const backend = await openBackend({ dataFolder: 'memory', log: () => undefined });
  let payments: LocalPayments | undefined;
  try {
    payments = await openPayments();
    await Promise.all([buildQuietly(), loadSampleCatalogue(backend)]);
    const host = await startHost({
      port: 0,
      site: { kind: 'built', folder: join(ROOT, 'dist') },
      functionsFolder: join(ROOT, 'netlify/functions'),
      backend,
      payments,
      log: console.error,
    });
    try {
      await work({
        URL: host.url,
        VITE_SUPABASE_URL: host.url,
        VITE_SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
        SUPABASE_SECRET_KEY: backend.secretKey,
        ...payments.environment,
      });
    } finally {
      await host.close();
    }
  } finally {
    await payments?.close();
    await backend.close();
  }
}
