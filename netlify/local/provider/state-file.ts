/**
 * Keeps what an emulator knows over a restart, so that an order made before it can still be paid.
 *
 * The file is replaced as a whole after every change. It also remembers the address: links to
 * payment pages lead there, so the next start asks for the same port, and where that is taken the
 * links are rewritten.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf, PlainFailure } from '../../../supabase/local/failures.ts';

export interface StateFile<State> {
  /** Of the address where the emulator was last; 0 when it is new. */
  readonly port: number;
  /** What was kept, with links to `url`; undefined when there is nothing. */
  load(url: string): State | undefined;
  save(state: State, url: string): void;
}

/** Of what is kept. Its fields are not translated from one format to another. */
const FORMAT = 2;

/** @throws PlainFailure when the file is not one of ours */
export function openStateFile<State>(path: string): StateFile<State> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const kept = text === undefined ? undefined : parse(path, text);
  return {
    port: kept === undefined ? 0 : Number(new URL(kept.url).port),
    load(url) {
      if (text === undefined || kept === undefined) return undefined;
      return parse(path, text.replaceAll(kept.url, url)).state as State; // written by `save`
    },
    save(state, url) {
      writeFileSync(`${path}.new`, JSON.stringify({ format: FORMAT, url, state }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

function parse(path: string, text: string): { url: string; state: unknown } {
  try {
    const { format, url, state } = JSON.parse(text) as Record<string, unknown>;
    if (format === FORMAT && typeof url === 'string') return { url, state };
    throw new Error('it is of another version');
  } catch (thrown) {
    throw new PlainFailure(
      `The test payments of earlier starts cannot be read (${path}: ${messageOf(thrown)}). ` +
        'Delete that file, or run `npm run reset`; orders not yet paid then cannot be paid.',
      { cause: thrown },
    );
  }
}
