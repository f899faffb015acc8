import { deferredChange } from '../ui/deferred-change.ts';

/** Says what a form does that was opened to add something; null for any other. */
export function deferredWords(id: string | null): string | null {
  const deferred = deferredChange(Date.now());
  if (!deferred || deferred.id !== id) return null;
  const what = deferred.kind === 'cart.add' ? 'goes into your cart' : 'becomes a favourite';
  return `Once you are logged in, this ${what}: ${deferred.productName}.`;
}
