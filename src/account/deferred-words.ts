import { deferredChange } from '../ui/deferred-change.ts';

/** Says what a login will add, by the change that the form's address names; null where it names none. */
export function deferredWords(id: string | null): string | null {
  const deferred = deferredChange(Date.now());
  if (!deferred || deferred.id !== id) return null;
  const what = deferred.kind === 'cart.add' ? 'goes into your cart' : 'becomes a favourite';
  return `Once you are logged in, this ${what}: ${deferred.productName}.`;
}
