/**
 * `npm run doctor` checks the deployment that .env or the environment configures, and prints a line
 * for each check: what is wrong and what to do. It changes nothing there, and ends with status 1 when it
 * found a fault. With nothing configured it opens the embedded shop and checks that.
 */
import { join } from 'node:path';
import { runScript } from '../../supabase/local/script.ts';
import { ROOT } from '../local/shop.ts';
import { withEmbeddedShop } from './embedded.ts';
import { examine } from './examine.ts';
import { type Deployment, lineOf } from './finding.ts';

/** A shop is configured where one of these is set. */
const SHOP_VARIABLES = ['VITE_SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'URL', 'STRIPE_SECRET_KEY'];

await runScript(async () => {
  const isConfigured = SHOP_VARIABLES.some((name) => process.env[name]?.trim());
  if (isConfigured) return check(process.env);
  console.log('Nothing is configured here: the embedded shop is opened and checked.');
  await withEmbeddedShop(check);
});

async function check(environment: Deployment['environment']): Promise<void> {
  const findings = await examine({
    environment,
    fetch: globalThis.fetch,
    now: () => new Date(),
    siteFolder: join(ROOT, 'dist'),
  });
  for (const finding of findings) console.log(lineOf(finding, environment));
  const faults = findings.filter(({ state }) => state === 'fault').length;
  console.log(faults === 0 ? 'No fault was found.' : `${faults} to mend.`);
  if (faults > 0) process.exitCode = 1;
}
