/**
 * Emulates PayPal's browser SDK, version 6: the part that @paypal/react-paypal-js uses for
 * payments. The loader of that package takes a `window.paypal` that is already there.
 *
 * The function is sent to the browser as its own text, so it may use nothing from outside itself.
 *
 * Source: types of @paypal/paypal-js 11, types/v6/components/paypal-payments.d.ts.
 */
import type {
  CreateInstanceOptions,
  CreateOrderPromise,
  PayPalOneTimePaymentSessionOptions,
} from '@paypal/react-paypal-js/sdk-v6';

export interface SdkSettings {
  /** Of the emulator. */
  readonly apiUrl: string;
  /** Shown on the dialog. */
  readonly band: string;
}

export function installSdk({ apiUrl, band }: SdkSettings): void {
  type Action = 'pay' | 'declined' | 'pending' | 'cancel';
  type Options = PayPalOneTimePaymentSessionOptions;

  const STYLE = `
    :host { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    dialog { box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 0 1.25rem 1.25rem; border: 2px solid; border-radius: 2px; }
    dialog::backdrop { background: rgb(0 0 0 / 0.6); }
    .band { margin: 0 -1.25rem; padding: 0.625rem 1.25rem; font-weight: 600; border-block-end: 2px solid; }
    h2 { font-size: 1.25rem; line-height: 1.25; }
    .actions { display: grid; gap: 0.75rem; }
    button { box-sizing: border-box; min-block-size: 44px; padding: 0.5rem 1rem; font: inherit; font-weight: 600;
      color: inherit; background: none; border: 2px solid; border-radius: 2px; cursor: pointer; }
    button.main { color: Canvas; background: CanvasText; border-color: CanvasText; }
    button:disabled { opacity: 0.6; cursor: default; }
    :focus-visible { outline: 3px solid; outline-offset: 2px; }`;

  const ACTIONS: readonly (readonly [action: Action, label: string])[] = [
    ['pay', 'Pay'],
    ['declined', 'Pay with a card that is declined'],
    ['pending', 'Pay, but the payment stays pending'],
    ['cancel', 'Cancel'],
  ];

  function sdkError(code: string, message: string, cause?: unknown) {
    return Object.assign(new Error(message, { cause }), { code, isRecoverable: true });
  }

  async function call(orderId: string, action?: Action): Promise<{ total: string }> {
    const url = `${apiUrl}/sdk/orders/${encodeURIComponent(orderId)}`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action }),
    };
    const answer = await fetch(url, action === undefined ? {} : init);
    if (!answer.ok) throw new Error(`The order cannot be approved (${answer.status}).`);
    return answer.json() as Promise<{ total: string }>;
  }

  /** The window in which the buyer decides. */
  function openDialog() {
    const host = document.createElement('div');
    // In a shadow root, which the shop's styles do not reach.
    const root = host.attachShadow({ mode: 'open' });
    // An element, as PayPal's script adds, and not a sheet of the document, which no policy blocks.
    const style = document.createElement('style');
    style.textContent = STYLE;
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'title');
    dialog.innerHTML =
      '<p class="band"></p><h2 id="title" aria-live="polite">Waiting for the shop…</h2><div class="actions"></div>';
    const line = dialog.querySelector('.band');
    const title = dialog.querySelector('h2');
    const buttonBox = dialog.querySelector('.actions');
    if (line !== null) line.textContent = band;
    const decided = Promise.withResolvers<Action>();
    const buttons = ACTIONS.map(([action, label]) => {
      const button = document.createElement('button');
      button.textContent = label;
      button.disabled = action !== 'cancel';
      if (action === 'pay') button.className = 'main';
      button.addEventListener('click', () => decided.resolve(action));
      return button;
    });
    buttonBox?.append(...buttons);
    // Escape, too, is a way to cancel.
    dialog.addEventListener('cancel', () => decided.resolve('cancel'));
    root.append(style, dialog);
    document.body.append(host);
    dialog.showModal();
    return {
      decided: decided.promise,
      cancel: () => decided.resolve('cancel'),
      offer(total: string) {
        if (title !== null) title.textContent = `Pay ${total} with PayPal`;
        for (const button of buttons) button.disabled = false;
        buttons[0]?.focus();
      },
      close() {
        host.remove();
        decided.resolve('cancel');
      },
    };
  }

  /** The order with which the page on PayPal's side has led back here. */
  const returnedOrder = () => new URLSearchParams(location.search).get('token');

  function createSession(options: Options) {
    let open: ReturnType<typeof openDialog> | undefined;

    /** Opens the window at once, as a browser allows only in answer to a click. */
    async function run(created: CreateOrderPromise | undefined): Promise<void> {
      const dialog = openDialog();
      open = dialog;
      const order = Promise.resolve(created ?? { orderId: options.orderId ?? '' });
      try {
        const first = await Promise.race([order, dialog.decided]);
        if (typeof first !== 'string') await approve(first.orderId, dialog);
        else if (open === dialog) cancelled();
      } catch (thrown) {
        // The shop could not make an order. The real SDK leaves that to the shop as well.
        close();
        throw thrown;
      }
      // The buyer cancelled before there was an order; its failure is of no interest.
      order.catch(() => undefined);
    }

    /** Does what the buyer decides. Nothing once the session is destroyed. */
    async function approve(orderId: string, dialog: ReturnType<typeof openDialog>): Promise<void> {
      try {
        dialog.offer((await call(orderId)).total);
        const action = await dialog.decided;
        if (action !== 'cancel') await call(orderId, action);
        if (open !== dialog) return;
        if (action === 'cancel') {
          cancelled(orderId);
          return;
        }
        close();
        const payerId = 'TESTBUYER2345';
        await options.onApprove?.({ orderId, payerId, fundingSource: 'paypal' });
        options.onComplete?.({ paymentSessionState: 'approved' });
      } catch (thrown) {
        if (open === dialog) close();
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        options.onError?.(sdkError('ERR_PAYMENT_FLOW', message, thrown));
        options.onComplete?.({ paymentSessionState: 'error' });
      }
    }

    function cancelled(orderId?: string): void {
      close();
      options.onCancel?.(orderId === undefined ? {} : { orderId });
      options.onComplete?.({ paymentSessionState: 'canceled' });
    }

    function close(): void {
      const dialog = open;
      open = undefined;
      dialog?.close();
    }

    return {
      async start(mode?: { presentationMode: string }, created?: CreateOrderPromise) {
        if (mode?.presentationMode === 'redirect') {
          const { orderId } = await (created ?? { orderId: options.orderId ?? '' });
          location.assign(`${apiUrl}/checkoutnow?token=${encodeURIComponent(orderId)}`);
          return;
        }
        if (open !== undefined) {
          created?.catch(() => undefined);
          throw sdkError('ERR_FLOW_ALREADY_STARTED', 'A payment is already under way.');
        }
        await run(created);
      },
      hasReturned: () => returnedOrder() !== null,
      async resume(): Promise<void> {
        const orderId = returnedOrder() ?? '';
        const payerId = new URLSearchParams(location.search).get('PayerID');
        if (payerId === null) cancelled(orderId);
        else await options.onApprove?.({ orderId, payerId, fundingSource: 'paypal' });
      },
      cancel: () => open?.cancel(),
      destroy: close,
    };
  }

  const eligibility = {
    isEligible: (method: string) => method === 'paypal',
    getDetails: () => ({}),
  };

  async function createInstance(options: CreateInstanceOptions<['paypal-payments']>) {
    if (!options.clientId && !options.clientToken) {
      throw sdkError('ERR_INVALID_CLIENT', 'createInstance needs a clientId or a clientToken.');
    }
    const base = {
      findEligibleMethods: async () => eligibility,
      hydrateEligibleMethods: () => eligibility,
      updateLocale: () => undefined,
    };
    return options.components.includes('paypal-payments')
      ? { ...base, createPayPalOneTimePaymentSession: createSession }
      : base;
  }

  Object.assign(globalThis, { paypal: { version: '6.0.0', createInstance } });
}
