import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainFailure } from '../../supabase/local/failures.ts';
import { ROOT } from './shop.ts';

/**
 * Builds the site into dist/ for the embedded backend, in a process of its own, whose output is shown only
 * when the build fails: the plugins print at every log level.
 *
 * @throws PlainFailure with the output
 */
export async function buildQuietly(): Promise<void> {
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
