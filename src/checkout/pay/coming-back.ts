import { useEffect, useEffectEvent } from 'react';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutAnswer, CheckoutRemote, OrderUpdate } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { takeOrderLeftForPayment } from './card.ts';
import { hasMoney, isForeign } from '../order-polling.ts';
import { type ErrorMessage, errorMessage } from './error-message.ts';
import type { Payment } from './use-payment.ts';

const NOT_PAID = errorMessage(
  'You came back without paying. Nothing was charged, and your cart hasn’t changed.',
  // Stripe's Cancel leads to the cart's checkout even where the shopper was paying an order of Your Orders.
  { href: '/orders', label: 'Your Orders' },
);
const UNSURE = 'We don’t know yet whether you paid. Check the order before you pay again.';

/** The message about an order for which no money is known; null where the order is another shopper's. */
export function messageOnReturn(
  answer: CheckoutAnswer<OrderUpdate>,
  orderId: string,
): ErrorMessage | null {
  if (answer.ok && answer.value.isCurrent) return NOT_PAID;
  if (!answer.ok && isForeign(answer.failure)) return null;
  return errorMessage(UNSURE, { href: successHref(orderId), label: 'View order' });
}

/**
 * Tells a shopper who comes back from the payment page to the checkout the status of the payment. They come back
 * by Cancel on that page, or by the browser's Back, which may restore the checkout as it was.
 */
export function useStatusOnReturn(
  remote: CheckoutRemote,
  { stage, finish, show }: Payment,
  go: (href: string) => void,
): void {
  const showStatus = useEffectEvent(async () => {
    const orderId = takeOrderLeftForPayment();
    if (orderId === null) return;
    const answer = await remote.orderStatus({ kind: 'order', id: orderId });
    if (answer.ok && hasMoney(answer.value)) {
      go(successHref(orderId));
      return;
    }
    const message = messageOnReturn(answer, orderId);
    if (message === null || !show(message)) return;
    if (message === NOT_PAID) notify('alert', 'Payment was not completed.');
  });

  const onRestored = useEffectEvent(() => {
    // The restored page is still in the attempt that led to the payment page.
    if (stage !== 'idle') finish();
    void showStatus();
  });

  useEffect(() => {
    void showStatus();
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onRestored();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
}
