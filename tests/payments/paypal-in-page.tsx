/** A checkout page as small as can be: PayPal's own React package and a button. */
import { PayPalProvider, usePayPalOneTimePaymentSession } from '@paypal/react-paypal-js/sdk-v6';
import { createRoot } from 'react-dom/client';

/** The callbacks that the page got, in their order. */
const callbacks: unknown[] = [];

/** @param order the id of an order at PayPal; `never` for one that is never made, `fails` for a failure */
export function mount(clientId: string, order: string): void {
  const createOrder = async () => {
    if (order === 'fails') throw new Error('the shop could not make the order');
    if (order === 'never') await new Promise(() => undefined);
    return { orderId: order };
  };
  addEventListener('unhandledrejection', (event) => {
    callbacks.push(['rejected', (event.reason as Error).message]);
    event.preventDefault();
  });
  const main = document.createElement('main');
  document.body.append(main);
  createRoot(main).render(
    <>
      <h1>Checkout</h1>
      <PayPalProvider clientId={clientId} environment="sandbox" pageType="checkout">
        <PayButton createOrder={createOrder} />
      </PayPalProvider>
    </>,
  );
}

function PayButton({ createOrder }: { createOrder: () => Promise<{ orderId: string }> }) {
  const { handleClick } = usePayPalOneTimePaymentSession({
    createOrder,
    presentationMode: 'auto',
    onApprove: async (data) => void callbacks.push(['approved', data]),
    onCancel: (data) => void callbacks.push(['cancelled', data]),
    onError: ({ code, message }) => void callbacks.push(['error', { code, message }]),
    onComplete: (data) => void callbacks.push(['complete', data.paymentSessionState]),
  });
  return (
    <button type="button" style={{ minHeight: 44 }} onClick={() => void handleClick()}>
      Pay with PayPal
    </button>
  );
}

export function callbacksSoFar(): unknown[] {
  return callbacks;
}
