/** The licences of bundled code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The file that Vite writes (`build.license`) with the licences of the packages in the page's bundle. */
export const LICENCES = 'licences.md';

/**
 * Adds the licences of the other packages in `dependencies`. Vite does not see the bundles of the service worker and of
 * the import's worker.
 */
export function otherLicences(root: string): Plugin {
  return {
    name: 'other-licences',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const file = bundle[LICENCES];
        if (file?.type !== 'asset') this.error(`Vite has not written ${LICENCES}.`);
        for (const name of Object.keys(packageAt(root).dependencies)) {
          const { version, license, text } = packageAt(join(root, 'node_modules', name));
          const heading = `## ${name} - ${version} (${license})`;
          if (!String(file.source).includes(heading)) file.source += `\n${heading}\n\n${text}\n`;
        }
      },
    },
  };
}

function packageAt(directory: string) {
  const fields = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
    dependencies: Record<string, string>;
  };
  const [file] = globSync('LICENSE*', { cwd: directory });
  return { ...fields, text: file ? readFileSync(join(directory, file), 'utf8').trim() : '' };
}
