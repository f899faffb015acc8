/** Opens the shop on this machine and keeps it open until the process gets a signal to stop. */
import { join } from 'node:path';
import { addDemoAccounts, DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../supabase/local/accounts.ts';
import { type Backend, openBackend } from '../../supabase/local/backend.ts';
import { defaultDataFolder, takesSamples } from '../../supabase/local/data-folder.ts';
import { PlainFailure } from '../../supabase/local/failures.ts';
import type { Mail } from '../../supabase/local/mailbox.ts';
import { loadSampleCatalogue } from '../../supabase/local/sample.ts';
import { Cdn } from './cdn.ts';
import { checkPort, type Host, type HostOptions, startHost } from './host.ts';
import { MAIL_PATH } from './mail-page.ts';
import { type MailServer, openMailServer } from './mail-server.ts';
import {
  endForgottenAttempts,
  type LocalPayments,
  openPayments,
  runScheduled,
} from './payments.ts';

export const ROOT = join(import.meta.dirname, '../..');

const DEFAULT_PORT = 4173;
/** Netlify runs scheduled functions every five minutes or at night; here a person may be waiting for them. */
const SCHEDULED_MS = 60_000;

/**
 * Opens backend, payments and host, and returns only when the process ends.
 *
 * @param prepareSite builds the site or starts its server; runs while the backend loads its first data
 */
export async function openShop(
  prepareSite: () => Promise<Pick<HostOptions, 'site' | 'server'>>,
): Promise<void> {
  process.chdir(ROOT);
  const port = portFrom(process.env['PORT']);
  await checkPort(port);
  const dataFolder = defaultDataFolder();
  const backend = await openBackend({ dataFolder, log: console.log, onMail: printMail });
  let host: Host;
  let payments: LocalPayments | undefined;
  let mail: MailServer | undefined;
  try {
    mail = await openMailServer(backend.receiveMail);
    payments = await openPayments(process.env);
    await endForgottenAttempts(backend, payments);
    const [prepared] = await Promise.all([prepareSite(), loadFirstData(backend, dataFolder)]);
    const functionsFolder = join(ROOT, 'netlify/functions');
    const { environment } = mail;
    const cdn = new Cdn({ now: Date.now });
    const log = console.error;
    const options = { port, backend, functionsFolder, payments, environment, cdn, log };
    host = await startHost({ ...options, ...prepared });
  } catch (thrown) {
    await payments?.close();
    await mail?.close();
    await backend.close();
    throw thrown;
  }
  const stopScheduled = runScheduled(SCHEDULED_MS, host.url, console.error);
  console.log(`${process.env['VITE_STORE_NAME'] || 'Weft'} is open at ${host.url}`);
  console.log(
    `Demo accounts: ${DEMO_ACCOUNTS.map(({ email }) => email).join(' and ')}, password ${DEMO_PASSWORD}`,
  );
  for (const [name, emulator] of Object.entries({
    Card: payments.stripe,
    PayPal: payments.paypal,
  })) {
    if (emulator === undefined) continue;
    console.log(
      `${name} payments are a test: settle, refund and dispute them at ${emulator.baseUrl}`,
    );
  }
  console.log(`Mail to shoppers is shown at ${host.url}${MAIL_PATH}`);
  console.log(`Its data lies in ${dataFolder} (npm run reset empties it)`);
  console.log('Stop it with Ctrl-C');
  await waitForStopSignal();
  console.log('Closing …');
  stopScheduled();
  await host.close();
  await payments.close();
  await mail.close();
  await backend.close();
  console.log('The shop is closed, and its data are stored.');
  process.exit(0);
}

async function loadFirstData(backend: Backend, dataFolder: string): Promise<void> {
  await addDemoAccounts(backend);
  if (takesSamples(dataFolder)) await loadSampleCatalogue(backend);
}

function printMail(mail: Mail): void {
  console.log(`Mail to ${mail.to}, "${mail.subject}": ${mail.links.join(' ')}`);
}

/** Also takes 0, with which the system chooses a free port for a test. */
function portFrom(text: string | undefined): number {
  const port = Number(text || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new PlainFailure(`PORT must be a number from 1 to 65535, not "${text}".`);
  }
  return port;
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve());
    }
  });
}
