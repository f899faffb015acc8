import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ShopperView } from '../../db/shopper-store.ts';
import { formatPrice } from '../../domain/money.ts';
import styles from '../page.module.css';
import type { PaymentMethod } from './payment-method.tsx';
import { PayPal } from './paypal.tsx';
import type { PayPalProps } from './paypal-wallet.tsx';
import { PayState } from './pay-state.tsx';

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
      <div ref={foot} className={styles['foot']}>
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
