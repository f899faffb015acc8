import { deferredChange } from '../ui/deferred-change.ts';

/**
 * Says what a login will add; null when no such change waits in this tab.
 *
 * @param id the change that the form's URL names; null for none
 */
export function deferredWords(id: string | null): string | null {
  const deferred = deferredChange(Date.now());
  if (!deferred || deferred.id !== id) return null;
  const place = deferred.kind === 'cart.add' ? 'cart' : 'favourites';
  return `Once you’re logged in, we’ll add this to your ${place}: ${deferred.productName}.`;
}
