/** Which pictures from elsewhere the host's image CDN resizes. */
import { parse } from 'smol-toml';

/**
 * @param toml the text of netlify.toml
 * @returns regular expressions, as text
 * @throws Error for a pattern that also matches sites which it does not mean
 */
export function resizedPictures(toml: string): string[] {
  const { images } = parse(toml) as { images?: { remote_images?: string[] } };
  const patterns = images?.remote_images ?? [];
  for (const pattern of patterns) {
    // Netlify searches the whole address for the pattern, and a bare dot matches any character.
    const [, host = ''] = /^\^https:\/\/([^/]+)\//.exec(pattern) ?? [];
    if (host !== '' && !/(?<!\\)\./.test(host)) continue;
    throw new Error(
      `netlify.toml: images.remote_images must begin with ^https://, have its dots escaped and the ` +
        `slash behind the host written out: ${pattern}`,
    );
  }
  return patterns;
}
