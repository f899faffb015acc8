/**
 * `npm run doctor` checks the deployment that .env or the environment configures, and prints a line
 * for each check: what is wrong and what to do. It changes nothing there, but for an account that it makes and
 * deletes again, and ends with status 1 when it found a fault.
 */
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');

/** A shop is configured where one of these is set. */
const SHOP_VARIABLES = ['VITE_SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'URL', 'STRIPE_SECRET_KEY'];

if (SHOP_VARIABLES.some((name) => process.env[name]?.trim())) {
  console.log(`Checking the shop at ${process.env['URL'] || 'an address that is not set'} …`);
  await check();
} else {
  console.log('FAULT       Settings: there are none. Copy .env.example to .env, and fill it in.');
  process.exitCode = 1;
}

async function check(): Promise<void> {
  // Loaded after the first line, because the providers' libraries take a moment.
  const [{ examine }, { lineOf }] = await Promise.all([
    import('./examine.ts'),
    import('./finding.ts'),
  ]);
  const { env: environment } = process;
  let faults = 0;
  for await (const finding of examine({ environment, fetch: globalThis.fetch })) {
    console.log(lineOf(finding, environment));
    if (finding.state === 'fault') faults += 1;
  }
  console.log(faults === 0 ? 'No fault was found.' : `${faults} to mend.`);
  if (faults > 0) process.exitCode = 1;
}
