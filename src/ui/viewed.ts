/**
 * The stock codes of the products that this device has shown last, newest first. They never leave the device, and
 * a logout clears them (`account/personal-state.ts`): the next user must not see them.
 */
import { localKey } from '../browser/storage-key.ts';
import { parseJson } from '../domain/fields.ts';

/** The product on screen, and a row of others. */
const MOST_KEPT = 5;

export const viewedKey = localKey('weft-viewed');

export function viewedCodes(): readonly string[] {
  const codes = parseJson(viewedKey.read());
  return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [];
}

export function noteViewed(skc: string): void {
  const others = viewedCodes().filter((code) => code !== skc);
  viewedKey.write(JSON.stringify([skc, ...others].slice(0, MOST_KEPT)));
}
