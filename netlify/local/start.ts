/** `npm start`: builds the site and serves it with the embedded backend. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainFailure } from '../../supabase/local/failures.ts';
import { runScript } from '../../supabase/local/script.ts';
import { openShop, ROOT } from './shop.ts';

await runScript(() =>
  openShop(async () => {
    await buildQuietly();
    return { site: { kind: 'built', folder: join(ROOT, 'dist') } };
  }),
);

/**
 * What a build prints matters only when it fails. In a process of its own, because the plugins
 * print whatever log level is asked for.
 */
async function buildQuietly(): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--mode', 'embedded'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  } catch (thrown) {
    const { stdout = '', stderr = '' } = thrown as { stdout?: string; stderr?: string };
    throw new PlainFailure(`The site could not be built:\n${stdout}${stderr}`.trimEnd(), {
      cause: thrown,
    });
  }
}
