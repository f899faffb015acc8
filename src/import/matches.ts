/**
 * The matches of columns that the user of this device has made. The device keeps them for one user, and until a
 * logout. Of two matches for the same headings the newer one holds.
 */
import { matchesKey } from '../account/personal-keys.ts';
import { parseMatch, type RememberedMatch } from '../csv/remembered.ts';
import { fieldsOf } from '../domain/fields.ts';

/** The most matches that the device keeps. A match of sixty columns takes about 2 kB. */
const MOST_KEPT = 40;

/** The last made first, one for each set of headings. */
export function knownMatches(uid: string): RememberedMatch[] {
  try {
    const { uid: keptFor, matches } = fieldsOf(JSON.parse(matchesKey.read() ?? '{}'));
    if (keptFor === uid && Array.isArray(matches))
      return matches.map(parseMatch).filter((match) => match !== null);
  } catch {
    // No JSON: not written by this code.
  }
  return [];
}

export function keepMatch(uid: string, match: RememberedMatch): void {
  const headingsOf = ({ headings }: RememberedMatch) => headings.join('\n');
  const others = knownMatches(uid).filter((other) => headingsOf(other) !== headingsOf(match));
  const matches = [match, ...others].slice(0, MOST_KEPT);
  matchesKey.write(JSON.stringify({ uid, matches }));
}
