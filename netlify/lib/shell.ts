/** The shop's document as it was built, with the headers that the host sends with it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { netlifyVariable, NotConfigured } from './env.ts';
import { parseHeaders } from './header-rules.ts';

export interface Shell {
  readonly html: string;
  readonly headers: ReadonlyMap<string, string>;
}

const DOCUMENT = '/index.html';

/**
 * Reads the files that netlify.toml puts beside the function.
 *
 * @throws NotConfigured where they are missing
 */
export async function readShell(): Promise<Shell> {
  const folder = netlifyVariable('SITE_FOLDER') || 'dist';
  try {
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    const headersOf = parseHeaders(await read('_headers'));
    return { html: await read(DOCUMENT), headers: headersOf(DOCUMENT) };
  } catch (cause) {
    throw new NotConfigured(`The files of the site are not in ${folder}: ${String(cause)}`);
  }
}
