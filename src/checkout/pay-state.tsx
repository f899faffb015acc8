import type { ShopperView } from '../db/shopper-store.ts';
import { useOnline } from '../ui/online.ts';
import styles from './pay-state.module.css';
import type { Payment } from './use-payment.ts';

interface PayStateProps {
  readonly payment: Payment;
  readonly view: ShopperView;
}

/**
 * Why paying must wait, what stands in its way, or what is being done, beside the button. Always in
 * the document: what it says later would not be read otherwise.
 */
export function PayState({ payment: { stage, trouble }, view }: PayStateProps) {
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
        </>
      )}
    </div>
  );
}

const OFFLINE =
  'Paying needs a connection, and there is none now. What you typed stays here, and so does your cart.';
const UNSAVED = 'The last changes to your cart are being saved. Paying waits for them.';
