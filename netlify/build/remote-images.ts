/** Which pictures from elsewhere the host's image CDN resizes: those in this shop's own storage. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Regular expressions, as text. The host looks for one anywhere in an address, so each begins with
 * `^https://` and has its dots escaped: other people's projects must not match.
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

/** Tells the host, which reads this file of the project's folder once the build is over. */
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
