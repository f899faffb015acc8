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
 * Why paying must wait, what stands in its way, or what is being done, beside the button. Always in
 * the document: what it says later would not be read otherwise.
 */
export function PayState({ payment, view, onPay }: PayStateProps) {
  const { stage, trouble } = payment;
  const isOnline = useOnline();
  const { unsaved } = view;
  const isWaiting = stage === 'idle' && !trouble && (!isOnline || unsaved > 0);
  return (
    <div role="status" className={styles['state']} data-marked={trouble !== null || isWaiting}>
      {stage === 'saving' && <p>Saving your cart first…</p>}
      {stage === 'processing' && <p>One moment: your order is being placed.</p>}
      {isWaiting && <p>{isOnline ? UNSAVED : OFFLINE}</p>}
      {trouble && (
        <>
          <p>{trouble.text}</p>
          {trouble.details.length > 0 && (
            <ul>
              {trouble.details.map((detail) => (
                <li key={detail}>{detail}</li>
              ))}
            </ul>
          )}
          {trouble.link && <a href={trouble.link.href}>{trouble.link.label}</a>}
          {trouble.again !== null && (
            <PayAgain payment={payment} orderId={trouble.again} onPay={onPay} />
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

/** PayPal's window opens in answer to a press only, so this one is passed on to its button. */
function PayAgain({ payment, orderId, onPay }: PayAgainProps) {
  return (
    <button type="button" onClick={() => payment.again(orderId, onPay)}>
      Pay again
    </button>
  );
}

const OFFLINE =
  'Paying needs a connection, and there is none now. What you typed stays here, and so does your cart.';
const UNSAVED = 'The last changes to your cart are being saved. Paying waits for them.';
