/**
 * The id of the shopper whom this device last knew, outside of the database: what is tapped before
 * that answers has an owner by it, and nobody is taken for signed out. It decides nothing else.
 */
const KEY = 'weft-shopper';

export function hintedShopper(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // blocked: then nobody knows
  }
}

export function hintShopper(uid: string | null): void {
  try {
    if (uid === null) localStorage.removeItem(KEY);
    else if (localStorage.getItem(KEY) !== uid) localStorage.setItem(KEY, uid);
  } catch {
    // Blocked or full: as without.
  }
}
