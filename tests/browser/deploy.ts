import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite, SITE_FOLDER } from '../build-once.ts';

/** The name of the shop in the build that all tests share. */
const FIRST = 'Weft';

/** A folder for a shop to serve, into which a test deploys builds. The shop's name tells them apart. */
export function newServedSite() {
  const folder = mkdtempSync(join(tmpdir(), 'weft-site-'));
  const path = join(folder, 'served');
  return {
    /** The folder that the shop serves. The first deploy makes it. */
    path,
    /** Builds the site for a shop of this name. */
    build: (name: string) => buildSite(join(folder, name), { VITE_STORE_NAME: name }),
    /** Replaces the served site with the build of this name. */
    deploy(name = FIRST): void {
      rmSync(path, { recursive: true, force: true });
      cpSync(name === FIRST ? SITE_FOLDER : join(folder, name), path, { recursive: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
