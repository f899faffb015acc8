/**
 * One press of the PayPal button, from the order to the money.
 *
 * PayPal's callbacks come in this order: `press` opens the window, as browsers allow only in answer
 * to a press; PayPal asks for the order (`createOrder`), which the shop makes meanwhile; then one of
 * `onApprove` (the shop takes the money), `onCancel` or `onError`. After a declined instrument
 * `restart` sends the same order back to PayPal for another one.
 *
 * In the installed app on iOS PayPal's page takes the place of this one and leads back to it. The page is
 * then a new one, with no press behind it, and its first callback is `onApprove` or `onCancel`.
 */
import { type RefObject, useRef } from 'react';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { dismissNotice, notify } from '../../ui/notices.ts';
import { hasMoney } from './order-watch.ts';
import { capture } from './paypal-capture.ts';
import { PRESENTATION } from './paypal-return.ts';
import type { CheckoutRequest } from './place-order.ts';
import { type ErrorMessage, errorMessage } from './error-message.ts';
import type { MethodWords, Payment } from './use-payment.ts';

/** The sentences of the specification, sections 6 and 8. */
const WALLET_WORDS: MethodWords = {
  signedOut: 'You must be logged in.',
  failed: 'PayPal payment failed. Please try again.',
  notStarted: 'Failed to create PayPal order',
};
const NOT_COMPLETED = 'Payment was not completed.';

/** One payment, from the press of the button to its end. */
interface Run {
  /** Null when the press was on a page before this one. */
  readonly request: CheckoutRequest | null;
  /** The shop's order; null before there is one. */
  orderId: string | null;
  /** PayPal's order, which the shopper pays again after a declined instrument. */
  payPalId: string | null;
  /** Whether PayPal has asked for the order. */
  isAskedFor: boolean;
  /** Whether the run has ended or the shop decides its end: reports of PayPal's window no longer count. */
  isOver: boolean;
}

/** Opens PayPal's window, and settles when that has closed. */
type Start = () => Promise<unknown>;

export function usePayPalFlow(
  payment: Payment,
  remote: CheckoutRemote,
  go: (href: string) => void,
) {
  const run = useRef<Run | null>(null);
  const start = useRef<Start | null>(null);

  async function createOrder(): Promise<{ orderId: string }> {
    const own = run.current;
    if (!own?.request) throw new Error('PayPal asked for an order before the button was pressed');
    own.isAskedFor = true;
    if (own.payPalId !== null) return { orderId: own.payPalId };
    const begun = await payment.begin(own.request, WALLET_WORDS, remote.createPayPalOrder);
    if (!begun) {
      // The page shows why already, so `onError`, which the error below leads to, says nothing.
      own.isOver = true;
      throw new Error(WALLET_WORDS.notStarted);
    }
    own.orderId = begun.orderId;
    own.payPalId = begun.value.payPalId;
    return { orderId: own.payPalId };
  }

  async function onApprove({ orderId: payPalId }: { orderId: string }): Promise<void> {
    const isResumed = run.current === null;
    const own = run.current ?? resumed(payPalId);
    // From now on the shop decides how the run ends, whatever PayPal's window reports.
    own.isOver = true;
    payment.enter('processing');
    const verdict = await capture(remote, payPalId, isResumed);
    switch (verdict.kind) {
      case 'paid-or-pending':
        leave(verdict.orderId ?? own.orderId, go);
        return;
      case 'declined':
        notify('alert', NOT_COMPLETED);
        await restart(own);
        return;
      case 'signed-out':
        end(own, payment, verdict.why, WALLET_WORDS.signedOut);
        return;
      case 'not-completed':
        end(own, payment, verdict.why, NOT_COMPLETED);
        return;
      case 'unknown':
        await askAbout(own, { payment, remote, go });
    }
  }

  /** Opens PayPal's window again, where the shopper chooses another instrument for the same order. */
  async function restart(own: Run): Promise<void> {
    own.isAskedFor = false;
    own.isOver = false;
    // Some browsers open no window without a press, and a page that PayPal led back to had none: then
    // the shopper presses once more.
    if (!start.current || !(await openWindow(run, own, start.current))) {
      end(own, payment, PRESS_AGAIN, null);
    }
  }

  return {
    callbacks: {
      presentationMode: PRESENTATION,
      createOrder,
      onApprove,
      onCancel: () => cancel(run.current ?? resumed(null), payment),
      onError: () => fail(run.current, payment),
    },
    /** @param handleClick opens PayPal's window; must be called in answer to a press */
    press(handleClick: Start): void {
      const request = payment.check(WALLET_WORDS);
      if (!request) return;
      const own: Run = { request, orderId: null, payPalId: null, isAskedFor: false, isOver: false };
      run.current = own;
      start.current = handleClick;
      void openWindow(run, own, handleClick).then((isOpen) => isOpen || fail(run.current, payment));
    },
  };
}

/**
 * Opens PayPal's window; settles when it has closed. False when the run is still open but the window failed
 * or has not asked for the order: then no callback follows.
 */
async function openWindow(run: RefObject<Run | null>, own: Run, open: Start): Promise<boolean> {
  const hasThrown = await open().then(
    () => false,
    () => true,
  );
  return run.current !== own || own.isOver || (!hasThrown && own.isAskedFor);
}

interface Checkout {
  readonly payment: Payment;
  readonly remote: CheckoutRemote;
  readonly go: (href: string) => void;
}

function end(own: Run, payment: Payment, why: ErrorMessage, alert: string | null): void {
  own.isOver = true;
  if (alert !== null) notify('alert', alert);
  payment.finish(why);
}

function fail(own: Run | null, payment: Payment): void {
  if (own?.isOver !== false) return;
  end(own, payment, errorMessage('PayPal stopped. Nothing was charged.'), WALLET_WORDS.failed);
}

function cancel(own: Run, payment: Payment): void {
  if (!own.isOver) end(own, payment, errorMessage(CANCELLED), NOT_COMPLETED);
}

/** Leaves for the success page, without the notice about an instrument that was declined. */
function leave(orderId: string | null, go: Checkout['go']): void {
  dismissNotice();
  go(hrefOf(orderId));
}

/** Where the shopper sees how it stands; among all orders when this page does not know which it is. */
function hrefOf(orderId: string | null): string {
  return orderId === null ? '/orders' : successHref(orderId);
}

/** The payment that PayPal's page leads back with. */
function resumed(payPalId: string | null): Run {
  return { request: null, orderId: null, payPalId, isAskedFor: true, isOver: false };
}

/** Asks the shop how the order stands, because PayPal may have taken the money without an answer. */
async function askAbout(own: Run, { payment, remote, go }: Checkout) {
  const { orderId } = own;
  const answer = orderId === null ? null : await remote.orderStatus({ kind: 'order', id: orderId });
  if (answer?.ok && hasMoney(answer.value)) {
    leave(orderId, go);
    return;
  }
  const link = { href: hrefOf(orderId), label: 'See what became of it' };
  end(own, payment, errorMessage(UNKNOWN, link), 'Payment capture failed.');
}

const PRESS_AGAIN = errorMessage(
  'PayPal could not charge this. Press again to choose another way there.',
);

const CANCELLED =
  'You left PayPal without paying. Nothing was charged, and your cart is as it was.';

const UNKNOWN =
  'It is not known whether PayPal took the money. It is never taken twice for one order.';
