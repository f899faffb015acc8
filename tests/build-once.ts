/** Builds the shop's site for the tests that open it, once for each run. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium, NoBrowserError } from './browser/find.ts';
import { migratedDatabase } from './supabase/shop.ts';

const ROOT = join(import.meta.dirname, '..');

/** The folder of the built shop for the browser tests and the benches. */
export const SITE_FOLDER = join(ROOT, '.cache/site');

/**
 * Vitest runs this before all tests: it finds or installs the browser, and builds the site that the
 * browser tests open.
 */
export default async function setup(): Promise<void> {
  try {
    // Vitest's workers start later and inherit this variable.
    process.env['CHROMIUM_PATH'] = findChromium();
  } catch (error) {
    if (!(error instanceof NoBrowserError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  await buildSite(SITE_FOLDER);
  // Made here once, or each worker would make its own at the same time.
  await migratedDatabase();
}

/**
 * Builds the site into a folder, in a new process, because under Vitest's NODE_ENV the site would
 * contain the libraries' development builds.
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
