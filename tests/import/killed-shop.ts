/** Opens the shop in a process that a test can kill, and prints the shop's address. */
import { join } from 'node:path';
import { startHost } from '../../netlify/local/host.ts';
import { openBackend } from '../../supabase/local/backend.ts';

const [dataFolder = '', port = '0', siteFolder = ''] = process.argv.slice(2);
// The backend does not log its progress, because every line on stderr counts as an error.
const backend = await openBackend({ dataFolder, log: () => undefined });
const host = await startHost({
  port: Number(port),
  site: { kind: 'built', folder: siteFolder },
  functionsFolder: join(import.meta.dirname, '../../netlify/functions'),
  backend,
  environment: {},
  log: console.error,
});
console.log(host.url);
// When the test's process has ended, this process must end too.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
