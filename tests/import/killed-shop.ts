/** The shop in a process of its own, for killing: its data folder, its port, the site's folder. */
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
// Nobody is left to kill it.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
