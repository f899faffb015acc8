/**
 * Emulates PayPal's browser SDK, version 6: the part that @paypal/react-paypal-js uses for
 * payments. The loader of that package takes a `window.paypal` that is already there.
 *
 * The function is sent to the browser as its own text, so it may use nothing from outside itself.
 *
 * Source: types of @paypal/paypal-js 11, types/v6/components/paypal-payments.d.ts.
 */
import type {
  CreateOrderPromise,
  PayPalOneTimePaymentSessionOptions,
} from '@paypal/react-paypal-js/sdk-v6';

interface SdkSettings {
  /** Of the emulator. */
  readonly apiUrl: string;
  /** A style and a dialog, whose buttons are the buyer's actions. */
  readonly markup: string;
}

export function installSdk({ apiUrl, markup }: SdkSettings): void {
  const PAYER_ID = 'TESTBUYER2345';

  async function call(orderId: string, action?: string): Promise<{ title: string }> {
    const url = `${apiUrl}/sdk/orders/${encodeURIComponent(orderId)}`;
    const init = action && { method: 'POST', body: new URLSearchParams({ action }) };
    const answer = await fetch(url, init || {});
    if (!answer.ok) throw new Error(`The order cannot be approved (${answer.status}).`);
    return answer.json() as Promise<{ title: string }>;
  }

  /** The window in which the buyer decides. */
  function openDialog() {
    const host = document.createElement('div');
    // The shop's styles do not reach into a shadow root. The markup brings a style element, because PayPal's
    // script adds one too: a policy that forbids style elements fails here as well.
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML = markup;
    const dialog = root.querySelector('dialog');
    const heading = root.querySelector('h2');
    if (dialog === null || heading === null) throw new Error('There is no dialog.');
    const buttons = [...root.querySelectorAll('button')];
    for (const button of buttons) button.disabled = button.value !== 'cancel';
    // A button closes the dialog with its value; Escape and `close` close it without one.
    const decided = new Promise<string>((resolve) => {
      dialog.addEventListener('close', () => {
        host.remove();
        resolve(dialog.returnValue || 'cancel');
      });
    });
    document.body.append(host);
    dialog.showModal();
    return {
      decided,
      offer(title: string) {
        heading.textContent = title;
        for (const button of buttons) button.disabled = false;
        buttons[0]?.focus();
      },
      close: () => dialog.close(),
    };
  }

  /** The order with which the page on PayPal's side has led back here. */
  const returnedOrder = () => new URLSearchParams(location.search).get('token');

  function createSession(options: PayPalOneTimePaymentSessionOptions) {
    let openedDialog: ReturnType<typeof openDialog> | undefined;
    let isDestroyed = false;

    /** Opens the window at once, as a browser allows only in answer to a click. */
    async function run(order: CreateOrderPromise): Promise<void> {
      const dialog = openDialog();
      openedDialog = dialog;
      // If the shop cannot make an order, the dialog closes, and `start` rejects with the shop's error.
      order.catch(dialog.close);
      const orderOrAction = await Promise.race([order, dialog.decided]);
      if (typeof orderOrAction === 'string') reportCancelled({});
      else await approve(orderOrAction.orderId, dialog);
    }

    /** Shows what is to be paid, waits for the buyer's decision, and carries it out. */
    async function approve(orderId: string, dialog: ReturnType<typeof openDialog>): Promise<void> {
      try {
        dialog.offer((await call(orderId)).title);
        const action = await dialog.decided;
        if (action === 'cancel') return reportCancelled({ orderId });
        await call(orderId, action);
        if (isDestroyed) return;
        await options.onApprove?.({ orderId, payerId: PAYER_ID, fundingSource: 'paypal' });
        options.onComplete?.({ paymentSessionState: 'approved' });
      } catch (thrown) {
        dialog.close();
        const more = { code: 'ERR_PAYMENT_FLOW', isRecoverable: true };
        options.onError?.(Object.assign(new Error(String(thrown), { cause: thrown }), more));
        options.onComplete?.({ paymentSessionState: 'error' });
      }
    }

    function reportCancelled(data: { orderId?: string }): void {
      if (isDestroyed) return;
      options.onCancel?.(data);
      options.onComplete?.({ paymentSessionState: 'canceled' });
    }

    return {
      async start(mode: { presentationMode: string }, created: CreateOrderPromise) {
        if (mode.presentationMode !== 'redirect') return run(created);
        const { orderId } = await created;
        location.assign(`${apiUrl}/checkoutnow?token=${encodeURIComponent(orderId)}`);
      },
      hasReturned: () => returnedOrder() !== null,
      async resume(): Promise<void> {
        const orderId = returnedOrder() ?? '';
        const payerId = new URLSearchParams(location.search).get('PayerID');
        if (payerId === null) reportCancelled({ orderId });
        else await options.onApprove?.({ orderId, payerId, fundingSource: 'paypal' });
      },
      destroy() {
        isDestroyed = true;
        openedDialog?.close();
      },
    };
  }

  const createInstance = async () => ({ createPayPalOneTimePaymentSession: createSession });
  Object.assign(globalThis, { paypal: { version: '6.0.0', createInstance } });
}
