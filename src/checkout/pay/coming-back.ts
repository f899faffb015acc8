import { useEffect, useEffectEvent } from 'react';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { takeLeftOrder } from './card.ts';
import { hasMoney } from './order-watch.ts';
import { errorMessage } from './error-message.ts';
import type { Payment } from './use-payment.ts';

const NOT_PAID = 'You came back without paying. Nothing was charged, and your cart is as it was.';
const UNSURE = 'It is not known yet whether you paid. Look at the order before you pay again.';

/** Longer than two seconds: within that time the shop asks the provider only once (`order_for`). */
const ASK_AGAIN_MS = 2500;

/**
 * Tells a shopper who comes back from the payment page to the checkout the status of the payment. They come back
 * by Cancel on that page, or by the browser's Back, which may restore the checkout as it was.
 */
export function useComingBack(
  remote: CheckoutRemote,
  { stage, finish, show }: Payment,
  go: (href: string) => void,
): void {
  const showStatus = useEffectEvent(async () => {
    const orderId = takeLeftOrder();
    if (orderId === null) return;
    finish();
    const order = { kind: 'order', id: orderId } as const;
    let answer = await remote.orderStatus(order);
    if (answer.ok && !answer.value.isCurrent && !hasMoney(answer.value)) {
      await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
      answer = await remote.orderStatus(order);
    }
    if (!answer.ok) return;
    if (hasMoney(answer.value)) {
      go(successHref(orderId));
      return;
    }
    if (!answer.value.isCurrent) {
      show(errorMessage(UNSURE, { href: successHref(orderId), label: 'See what became of it' }));
      return;
    }
    if (show(errorMessage(NOT_PAID))) notify('alert', 'Payment was not completed.');
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
