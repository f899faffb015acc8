import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ShopperView } from '../../db/shopper-store.ts';
import { formatPrice } from '../../domain/money.ts';
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

/** How the payment stands, the way back, and the button that pays: the form's own for a card. */
export function PayFoot({ payment, view, method, back, remote, go }: PayFootProps) {
  /** The element with the pay button, which is its only button. */
  const foot = useRef<HTMLDivElement>(null);
  return (
    <>
      <PayState
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

/** One button for each way to pay. */
function PayButton({ method, ...props }: PayPalProps & Pick<PayFootProps, 'method'>) {
  const { stage, total } = props.payment;
  switch (method) {
    case 'card':
      return (
        // Not `disabled` while busy: the button would lose the focus.
        <button type="submit" className="button" aria-disabled={stage !== 'idle'}>
          {stage === 'idle' ? `Pay ${formatPrice(total)} by card` : 'Processing...'}
        </button>
      );
    case 'paypal':
      return <PayPal {...props} />;
  }
}

interface PayStateProps {
  readonly payment: Payment;
  readonly view: ShopperView;
  /** Presses the button that pays. */
  readonly onPay: () => void;
}

/**
 * Says beside the button why paying must wait, why it failed, or what the shop is doing. Always in the
 * document: screen readers skip a live region that arrives with its text.
 */
function PayState({ payment, view, onPay }: PayStateProps) {
  const { stage, error } = payment;
  const isOnline = useOnline();
  const { unsaved } = view;
  const isWaiting = stage === 'idle' && !error && (!isOnline || unsaved > 0);
  return (
    <div role="status" className={styles['state']} data-marked={error !== null || isWaiting}>
      {stage === 'saving' && <p>Saving your cart first…</p>}
      {stage === 'processing' && <p>One moment: your order is being placed.</p>}
      {isWaiting && <p>{isOnline ? UNSAVED : OFFLINE}</p>}
      {error && (
        <>
          <p>{error.text}</p>
          {error.details.length > 0 && (
            <ul>
              {error.details.map((detail) => (
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

/** Presses the pay button itself, because browsers open PayPal's window only in answer to a press. */
function PayAgain({ payment, orderId, onPay }: PayAgainProps) {
  return (
    <button type="button" onClick={() => payment.payAgain(orderId, onPay)}>
      Pay again
    </button>
  );
}

const OFFLINE =
  'Paying needs a connection, and there is none now. What you typed stays here, and so does your cart.';
const UNSAVED = 'The last changes to your cart are being saved. Paying waits for them.';
