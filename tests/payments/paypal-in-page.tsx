/** A minimal checkout page: PayPal's own React package and a button. */
import { PayPalProvider, usePayPalOneTimePaymentSession } from '@paypal/react-paypal-js/sdk-v6';
import { createRoot } from 'react-dom/client';

/** The calls of the page's callbacks, in order: name and argument. An unhandled rejection counts as `rejected`. */
const callbacks: unknown[] = [];

/**
 * Draws the page.
 *
 * @param order what the shop's `createOrder` does: returns this id, `never` ends, or `fails`
 */
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
