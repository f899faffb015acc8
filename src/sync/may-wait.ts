import { type Change, CHANGE_SCHEMA } from '../domain/change.ts';

/**
 * Kinds of changes that every version of the server applies. A server lets an unknown kind wait, so new
 * kinds are not added here.
 */
const KNOWN_EVERYWHERE: ReadonlySet<string> = new Set([
  'cart.add',
  'cart.reduce',
  'cart.set',
  'cart.remove',
  'cart.clear',
  'favourite.add',
  'favourite.remove',
]);

/** Whether a server may let this change wait, and with it all later ones of the same push. */
export function mayWait({ schema, kind }: Change): boolean {
  return schema !== CHANGE_SCHEMA || !KNOWN_EVERYWHERE.has(kind);
}
