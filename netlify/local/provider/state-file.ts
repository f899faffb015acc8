/**
 * Keeps what an emulator knows over a restart, so that an order made before it can still be paid.
 *
 * The file is replaced as a whole after every change. It also remembers the address: links to
 * payment pages lead there, so the next start asks for the same port, and where that is taken the
 * links are rewritten.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageWithoutStop, PlainFailure } from '../../../supabase/local/failures.ts';

/** The version of the file's format. A file of another version is put aside, so that a person can still read it. */
const FORMAT = 2;

/** @throws PlainFailure when the file is damaged */
export function openStateFile<State>(path: string) {
  const stored = readStored(path);
  return {
    /** The emulator's port at its last start; 0 when it is new. */
    port: stored === undefined ? 0 : Number(new URL(stored.url).port),
    /** What was stored, with links to `url`; undefined when there is nothing. */
    load(url: string): State | undefined {
      if (stored === undefined) return undefined;
      const text = JSON.stringify(stored.state).replaceAll(stored.url, url);
      return JSON.parse(text) as State; // written by `save`
    },
    save(state: State, url: string): void {
      writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, url, state }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

function readStored(path: string): { url: string; state: unknown } | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { format, url, state } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      unknown
    >;
    if (format === FORMAT && typeof url === 'string') return { url, state };
  } catch (thrown) {
    throw new PlainFailure(
      `The test payments of earlier starts cannot be read (${path}: ${messageWithoutStop(thrown)}). ` +
        'Delete that file, or run `npm run reset`; orders not yet paid then cannot be paid.',
      { cause: thrown },
    );
  }
  renameSync(path, `${path}.old`);
  console.log(`Test payments of another version were put aside: ${path}.old`);
  return undefined;
}
