import {
  INSTANCE_LOADING_STATE,
  PayPalProvider,
  usePayPal,
  usePayPalOneTimePaymentSession,
} from '@paypal/react-paypal-js/sdk-v6';
import { type Ref, useEffect, useEffectEvent } from 'react';
import { formatTotal } from '../../domain/money.ts';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { PAYPAL_CLIENT_ID, PAYPAL_ENVIRONMENT } from '../settings.ts';
import { usePayPalFlow } from './paypal-flow.ts';
import type { Payment } from './use-payment.ts';

export interface PayPalProps {
  readonly payment: Payment;
  readonly remote: CheckoutRemote;
  readonly go: (href: string) => void;
}

export interface PayPalWalletProps extends PayPalProps {
  /** Moves the focus to the next button when React replaces this one. */
  readonly buttonRef: Ref<HTMLButtonElement>;
  /** Called when the SDK did not arrive or did not start. */
  readonly onFail: () => void;
}

/** A chunk of its own: the page loads nothing of PayPal before the shopper chooses PayPal. */
export function PayPalWallet(props: PayPalWalletProps) {
  return (
    <PayPalProvider
      clientId={PAYPAL_CLIENT_ID}
      environment={PAYPAL_ENVIRONMENT}
      components={COMPONENTS}
      pageType="checkout"
    >
      <PayPalButton {...props} />
    </PayPalProvider>
  );
}

const COMPONENTS: ['paypal-payments'] = ['paypal-payments'];

/** The shop's own button: PayPal's does not guard against a double press or handle a failed order. */
function PayPalButton({ payment, remote, go, buttonRef, onFail }: PayPalWalletProps) {
  const { loadingStatus } = usePayPal();
  const flow = usePayPalFlow(payment, remote, go);
  const { handleClick } = usePayPalOneTimePaymentSession(flow.callbacks);
  const hasFailed = loadingStatus === INSTANCE_LOADING_STATE.REJECTED;
  const fail = useEffectEvent(onFail);
  useEffect(() => {
    if (hasFailed) fail();
  }, [hasFailed]);

  const isReady = loadingStatus === INSTANCE_LOADING_STATE.RESOLVED;
  const { stage, total } = payment;
  const label = stage === 'idle' ? `Pay ${formatTotal(total)} with PayPal` : 'Processing...';
  return (
    <button
      ref={buttonRef}
      type="button"
      className="button"
      aria-disabled={!isReady || stage !== 'idle'}
      onClick={() => {
        if (isReady) flow.press(handleClick);
      }}
    >
      {isReady ? label : 'Loading PayPal...'}
    </button>
  );
}
