/**
 * The matches of columns that the users of this shop have made: kept on this device at once, and for
 * all staff after an import with it. Of two matches for the same headings the newer one holds.
 *
 * The device keeps the matches for one user, and until a logout. A user's own matches have the time of this device,
 * which may be wrong; those of all staff have the server's.
 */
import { matchesKey } from '../account/personal-keys.ts';
import { parseMatch, type RememberedMatch } from '../csv/remembered.ts';
import { fieldsOf, plainText } from '../domain/fields.ts';

/** The most own matches that the device keeps. A match of sixty columns takes about 2 kB. */
const MOST_KEPT = 40;

interface KeptMatches {
  /** Made on this device, the last first. */
  readonly own: readonly RememberedMatch[];
  /** Those of all staff, as the server has last listed them. */
  readonly shared: readonly RememberedMatch[];
}

/** The matches that this device knows for a user, one for each set of headings. */
export function knownMatches(uid: string, nowMs: number): RememberedMatch[] {
  const { own, shared } = readKept(uid);
  const known = new Map(shared.map((match) => [headingsOf(match), match]));
  for (const match of own) {
    const other = known.get(headingsOf(match));
    // A time in the future shows that this device's clock was wrong; then the shared match holds.
    if (!other || (match.at <= nowMs && match.at > other.at)) known.set(headingsOf(match), match);
  }
  return [...known.values()];
}

/** Keeps one of the user's own matches, in place of the last one for the same headings. */
export function keepMatch(uid: string, match: RememberedMatch): void {
  const { own, shared } = readKept(uid);
  const others = own.filter((other) => headingsOf(other) !== headingsOf(match));
  write(uid, { own: [match, ...others].slice(0, MOST_KEPT), shared });
}

/** Keeps the matches of all staff, in place of those that the server listed before. */
export function keepShared(uid: string, shared: readonly RememberedMatch[]): void {
  write(uid, { ...readKept(uid), shared });
}

/** Parses the server's list of the matches of all staff. */
export function sharedMatches(list: readonly unknown[], uid: string): RememberedMatch[] {
  return list.flatMap((listed) => {
    const match = parseMatch(listed);
    const { by_me: byMe, matched_at: time } = fieldsOf(listed);
    const at = Date.parse(plainText(time));
    if (!match || Number.isNaN(at)) return [];
    return [{ ...match, by: byMe === true ? uid : null, at }];
  });
}

function headingsOf({ headings }: RememberedMatch): string {
  return headings.join('\n');
}

function readKept(uid: string): KeptMatches {
  try {
    const { uid: keptFor, own, shared } = fieldsOf(JSON.parse(matchesKey.read() ?? '{}'));
    if (keptFor === uid) return { own: parseAll(own), shared: parseAll(shared) };
  } catch {
    // No JSON: not written by this code.
  }
  return { own: [], shared: [] };
}

function write(uid: string, kept: KeptMatches): void {
  matchesKey.write(JSON.stringify({ uid, ...kept }));
}

function parseAll(kept: unknown): RememberedMatch[] {
  return Array.isArray(kept) ? kept.map(parseKept).filter((match) => match !== null) : [];
}

function parseKept(value: unknown): RememberedMatch | null {
  const match = parseMatch(value);
  const { by, at } = fieldsOf(value);
  if (!match || typeof at !== 'number') return null;
  return { ...match, by: typeof by === 'string' ? by : null, at };
}
