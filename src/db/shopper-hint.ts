/**
 * The id of the last signed-in shopper, in `localStorage`. While the database does not answer, taps
 * are stored for this shopper, and screens do not show the shopper as signed out.
 */
const KEY = 'weft-shopper';

export function hintedShopper(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // blocked: the same as no hint
  }
}

export function hintShopper(uid: string | null): void {
  try {
    if (uid === null) localStorage.removeItem(KEY);
    else if (localStorage.getItem(KEY) !== uid) localStorage.setItem(KEY, uid);
  } catch {
    // Blocked or full: the same as no hint.
  }
}
