import { useEffect, useEffectEvent } from 'react';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { takeLeftOrder } from './card.ts';
import { hasMoney } from './order-watch.ts';
import { errorMessage } from './error-message.ts';
import type { Payment } from './use-payment.ts';

const WORDS = 'You came back without paying. Nothing was charged, and your cart is as it was.';
const UNSURE = 'It is not known yet whether you paid. Look at the order before you pay again.';

/** The shop asks the provider at most every two seconds (`order_for`), and may have asked a moment ago. */
const ASK_AGAIN_MS = 2500;

/**
 * Tells a shopper who comes back from the payment page to the checkout how the payment stands: after
 * Cancel there, or after the browser's Back, which may restore this page as it was.
 */
export function useComingBack(
  remote: CheckoutRemote,
  { stage, finish, show }: Payment,
  go: (href: string) => void,
): void {
  const look = useEffectEvent(async () => {
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
    if (show(errorMessage(WORDS))) notify('alert', 'Payment was not completed.');
  });

  /** Ends the payment that was under way when the shopper left this page. */
  const wake = useEffectEvent(() => {
    if (stage !== 'idle') finish();
    void look();
  });

  useEffect(() => {
    void look();
    const ifRestored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) wake();
    };
    window.addEventListener('pageshow', ifRestored);
    return () => window.removeEventListener('pageshow', ifRestored);
  }, []);
}
