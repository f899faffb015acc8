/**
 * The matches of columns that the users of this shop have made: kept on this device at once, and for
 * all staff after an import with it. Of two for the same headings the newer one holds.
 */
import { parseMatch, type RememberedMatch } from '../csv/remembered.ts';
import { fieldsOf, plainText } from '../domain/fields.ts';
import { localKey } from '../ui/storage-key.ts';

const KEY = localKey('weft-import-matches');
/** A match of sixty columns takes about 2 kB. */
const MOST_KEPT = 40;

/** The matches that this device knows, the newest first. */
export function knownMatches(): RememberedMatch[] {
  try {
    const kept: unknown = JSON.parse(KEY.read() ?? '[]');
    return Array.isArray(kept) ? kept.map(parseKept).filter((match) => match !== null) : [];
  } catch {
    return []; // somebody else has written there
  }
}

/** Keeps matches on this device beside those that it knows. */
export function keepMatches(matches: readonly RememberedMatch[]): void {
  const newest = new Map<string, RememberedMatch>();
  for (const match of [...matches, ...knownMatches()].sort((a, b) => b.at - a.at)) {
    const key = match.headings.join('\n');
    if (!newest.has(key)) newest.set(key, match);
  }
  KEY.write(JSON.stringify([...newest.values()].slice(0, MOST_KEPT)));
}

/** Parses what the server knows of the matches of all staff. */
export function sharedMatches(answers: readonly unknown[], uid: string): RememberedMatch[] {
  return answers.flatMap((answer) => {
    const match = parseMatch(answer);
    const { by_me: byMe, matched_at: time } = fieldsOf(answer);
    const at = Date.parse(plainText(time));
    if (!match || Number.isNaN(at)) return [];
    return [{ ...match, by: byMe === true ? uid : null, at }];
  });
}

function parseKept(value: unknown): RememberedMatch | null {
  const match = parseMatch(value);
  const { by, at } = fieldsOf(value);
  if (!match || typeof at !== 'number') return null;
  return { ...match, by: typeof by === 'string' ? by : null, at };
}
