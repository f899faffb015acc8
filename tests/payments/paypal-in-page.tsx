/** A checkout page as small as can be: PayPal's own React package and a button. */
import { PayPalProvider, usePayPalOneTimePaymentSession } from '@paypal/react-paypal-js/sdk-v6';
import { createRoot } from 'react-dom/client';

/** What the page was told, in its order. */
const heard: unknown[] = [];

/** @param order the id of an order at PayPal; `never` for one that is never made, `fails` for a failure */
export function mount(clientId: string, order: string): void {
  const createOrder = async () => {
    if (order === 'fails') throw new Error('the shop could not make the order');
    if (order === 'never') await new Promise(() => undefined);
    return { orderId: order };
  };
  addEventListener('unhandledrejection', (event) => {
    heard.push(['rejected', (event.reason as Error).message]);
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
    onApprove: async (data) => void heard.push(['approved', data]),
    onCancel: (data) => void heard.push(['cancelled', data]),
    onError: ({ code, message }) => void heard.push(['error', { code, message }]),
    onComplete: (data) => void heard.push(['complete', data.paymentSessionState]),
  });
  return (
    <button type="button" style={{ minHeight: 44 }} onClick={() => void handleClick()}>
      Pay with PayPal
    </button>
  );
}

export function whatWasHeard(): unknown[] {
  return heard;
}
