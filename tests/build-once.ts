import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Where the built shop lies for the browser tests and the benches. */
export const SITE_FOLDER = join(ROOT, '.cache/site');

/** Builds the site that browser tests and benches open, once for all of them. */
export default function setup(): void {
  buildSite(SITE_FOLDER);
}

/**
 * Builds the site into a folder. In a process of its own: under a test runner's NODE_ENV the
 * libraries would be their development builds.
 */
export function buildSite(folder: string, env: Readonly<Record<string, string>> = {}): void {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--mode', 'embedded', '--logLevel', 'error'];
  execFileSync(process.execPath, [...args, '--outDir', folder, '--emptyOutDir'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
