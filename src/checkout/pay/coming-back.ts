import { useEffect, useEffectEvent } from 'react';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { successHref } from '../go.ts';
import { takeLeftOrder } from './left-for-payment.ts';
import { hasMoney } from './order-watch.ts';
import { errorMessage } from './error-message.ts';
import type { Payment } from './use-payment.ts';

const WORDS = 'You came back without paying. Nothing was charged, and your cart is as it was.';

/**
 * Says how a payment ended whose page this tab left for, when it comes back by another way than
 * the success page: cancelled, or by the browser's Back, which may show this page as it was left.
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
    const answer = await remote.orderStatus({ kind: 'order', id: orderId });
    if (!answer.ok) return;
    if (hasMoney(answer.value)) {
      go(successHref(orderId));
      return;
    }
    if (show(errorMessage(WORDS))) notify('alert', 'Payment was not completed.');
  });

  /** Nothing of what this page was doing when it was left goes on. */
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
