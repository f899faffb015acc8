import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium, NoBrowserError } from './browser/find.ts';

const ROOT = join(import.meta.dirname, '..');

/** Where the built shop lies for the browser tests and the benches. */
export const SITE_FOLDER = join(ROOT, '.cache/site');

/**
 * Before any test: finds or brings the browser, and builds the site that browser tests and benches
 * open, once for all of them.
 */
export default async function setup(): Promise<void> {
  try {
    // Workers are started after this, and inherit it.
    process.env['CHROMIUM_PATH'] = await findChromium();
  } catch (error) {
    if (!(error instanceof NoBrowserError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  await buildSite(SITE_FOLDER);
}

/**
 * Builds the site into a folder. In a process of its own: under a test runner's NODE_ENV the
 * libraries would be their development builds.
 */
export async function buildSite(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--mode', 'embedded', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [...args, '--outDir', folder, '--emptyOutDir'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
}
