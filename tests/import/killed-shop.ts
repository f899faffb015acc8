/**
 * Opens the shop in this process, which a test can kill. Arguments: the data folder, the port (0 for any)
 * and the folder of the built site. Prints the shop's address.
 */
import { join } from 'node:path';
import { startHost } from '../../netlify/local/host.ts';
import { openBackend } from '../../supabase/local/backend.ts';

const [dataFolder = '', port = '0', folder = ''] = process.argv.slice(2);
const backend = await openBackend({ dataFolder, log: console.error });
const host = await startHost({
  port: Number(port),
  site: { kind: 'built', folder },
  functionsFolder: join(import.meta.dirname, '../../netlify/functions'),
  backend,
  environment: {},
  log: console.error,
});
console.log(host.url);
// The test's process has ended without killing this one.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
