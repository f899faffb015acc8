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
    const [html, headers] = await Promise.all(
      [DOCUMENT, '_headers'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    if (html === undefined || headers === undefined) throw new Error('two files give two texts');
    return { html, headers: parseHeaders(headers)(DOCUMENT) };
  } catch (cause) {
    throw new NotConfigured(`The files of the site are not in ${folder}: ${String(cause)}`);
  }
}
