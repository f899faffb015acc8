import { useRef } from 'react';
import type { ShopperView } from '../../db/shopper-store.ts';
import { formatTotal } from '../../domain/money.ts';
import { Link } from '../../ui/link.tsx';
import { useOnline } from '../../ui/online.ts';
import pageStyles from '../page.module.css';
import styles from './pay-foot.module.css';
import type { PaymentMethod } from './payment-method.tsx';
import { PayPal } from './paypal.tsx';
import type { PayPalProps } from './paypal-wallet.tsx';
import type { Payment } from './use-payment.ts';

interface PayFootProps extends PayPalProps {
  readonly view: ShopperView;
  readonly method: PaymentMethod;
  readonly back: { readonly href: string; readonly label: string };
}

/** The state of the payment, the link back, and the button that pays. */
export function PayFoot({ payment, view, method, back, remote, go }: PayFootProps) {
  /** The element that contains the pay button and no other button. */
  const foot = useRef<HTMLDivElement>(null);
  return (
    <>
      <PaymentMessages
        payment={payment}
        view={view}
        onPay={() => foot.current?.querySelector('button')?.click()}
      />
      <div ref={foot} className={pageStyles['foot']}>
        <Link to={back.href}>{back.label}</Link>
        <PayButton method={method} payment={payment} remote={remote} go={go} />
      </div>
    </>
  );
}

/** The button of the chosen method. For a card it submits the form. */
function PayButton({ method, ...props }: PayPalProps & Pick<PayFootProps, 'method'>) {
  const { stage, total } = props.payment;
  switch (method) {
    case 'card':
      return (
        // Not `disabled` while busy: the button would lose the focus.
        <button type="submit" className="button" aria-disabled={stage !== 'idle'}>
          {stage === 'idle' ? `Pay ${formatTotal(total)} by card` : 'Processing...'}
        </button>
      );
    case 'paypal':
      return <PayPal {...props} />;
  }
}

interface PaymentMessagesProps {
  readonly payment: Payment;
  readonly view: ShopperView;
  /** Presses the button that pays. */
  readonly onPay: () => void;
}

/**
 * Says beside the button why paying must wait, why it failed, or what the shop is doing. This live region is
 * always in the document: screen readers skip one that comes with its text.
 */
function PaymentMessages({ payment, view, onPay }: PaymentMessagesProps) {
  const { stage, error } = payment;
  const isOnline = useOnline();
  const { unsaved } = view;
  const isWaiting = stage === 'idle' && !error && (!isOnline || unsaved > 0);
  return (
    <div role="status" className={styles['state']} data-marked={error !== null || isWaiting}>
      {stage === 'saving' && <p>Saving your cart first…</p>}
      {stage === 'processing' && <p>One moment. We’re placing your order.</p>}
      {isWaiting && <p>{isOnline ? UNSAVED_WORDS : OFFLINE_WORDS}</p>}
      {error && (
        <>
          <p>{error.text}</p>
          {error.details.length > 0 && (
            <ul>
              {/* A set, because two products of one name have the same sentence. */}
              {[...new Set(error.details)].map((detail) => (
                <li key={detail}>{detail}</li>
              ))}
            </ul>
          )}
          {error.link && <a href={error.link.href}>{error.link.label}</a>}
          {error.earlierOrderId !== null && (
            <PayAgain payment={payment} orderId={error.earlierOrderId} onPay={onPay} />
          )}
        </>
      )}
    </div>
  );
}

interface PayAgainProps {
  readonly payment: Payment;
  readonly orderId: string;
  readonly onPay: () => void;
}

/** Calls `onPay` within the press, because browsers open PayPal's window only in answer to a press. */
function PayAgain({ payment, orderId, onPay }: PayAgainProps) {
  return (
    <button type="button" onClick={() => payment.payAgain(orderId, onPay)}>
      Pay again
    </button>
  );
}

const OFFLINE_WORDS = 'You’re offline, so you can’t pay yet. We’ve kept your address and cart.';
const UNSAVED_WORDS = 'We’re saving your latest cart changes. You can pay once they’re saved.';
