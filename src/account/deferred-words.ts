import { deferredChange } from '../ui/deferred-change.ts';

/**
 * Says what a login will add; null when no such change waits in this tab.
 *
 * @param id the change that the form's URL names; null for none
 */
export function deferredWords(id: string | null): string | null {
  const deferred = deferredChange(Date.now());
  if (!deferred || deferred.id !== id) return null;
  const outcome = deferred.kind === 'cart.add' ? 'goes into your cart' : 'becomes a favourite';
  return `Once you are logged in, this ${outcome}: ${deferred.productName}.`;
}
