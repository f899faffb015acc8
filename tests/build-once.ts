import { join } from 'node:path';
import { build } from 'vite';

/** Where the built shop lies for the browser tests and the benches. */
export const SITE_FOLDER = join(import.meta.dirname, '../.cache/site');

/** Builds the site that browser tests and benches open, once for all of them. */
export default async function setup(): Promise<void> {
  await build({
    mode: 'embedded',
    logLevel: 'error',
    build: { outDir: SITE_FOLDER, emptyOutDir: true },
  });
}
