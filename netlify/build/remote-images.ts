/** Lets the host's image CDN resize pictures in this shop's own storage at Supabase, and no others. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The text of regular expressions for addresses that the host may resize. The host looks for a match
 * anywhere in an address, so each begins with `^https://` and has its dots escaped: addresses of other
 * projects must not match.
 *
 * @param backendUrl the Supabase project's address
 */
export function remoteImages(backendUrl: string): string[] {
  const { protocol, host } = URL.parse(backendUrl) ?? {};
  if (protocol !== 'https:' || host === undefined) return [];
  return [`^https://${host.replaceAll('.', String.raw`\.`)}/storage/v1/object/public/`];
}

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
