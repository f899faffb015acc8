import type { ShopperView } from '../../db/shopper-store.ts';
import { useOnline } from '../../ui/online.ts';
import styles from './pay-state.module.css';
import type { Payment } from './use-payment.ts';

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
export function PayState({ payment, view, onPay }: PayStateProps) {
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
