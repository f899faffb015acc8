/** Tells the host's image CDN which pictures of other sites it may resize. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Source: docs.netlify.com, "Frameworks API"; @netlify/build, `plugins_core/frameworks_api`. */
const CONFIG = '.netlify/v1/config.json';

/** Writes the patterns into the file that the host reads after the build. */
export function remoteImagesFile(root: string, patterns: readonly string[]): Plugin {
  return {
    name: 'remote-images',
    apply: 'build',
    async writeBundle() {
      const file = join(root, CONFIG);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify({ images: { remote_images: patterns } }));
    },
  };
}
