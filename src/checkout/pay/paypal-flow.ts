/**
 * One press of the PayPal button, from the order to the money.
 *
 * `press` opens PayPal's window, as browsers allow only in answer to a press. PayPal then calls `createOrder`,
 * in which the shop makes the order, and after that one of `onApprove` (the shop takes the money), `onCancel`
 * and `onError`. After a declined instrument the shopper presses again, and the shop answers with the same order.
 *
 * In the installed app on iOS PayPal's page replaces this one and leads back to the checkout. The checkout is then
 * loaded anew, without a press, and PayPal's first callback is `onApprove` or `onCancel`.
 */
import { useRef } from 'react';
import { successHref } from '../../domain/routes.ts';
import type { CheckoutRemote } from '../../remote/checkout.ts';
import { notify } from '../../ui/notices.ts';
import { hasMoney } from '../order-polling.ts';
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
  /** Whether PayPal has asked for the order. */
  isAskedFor: boolean;
  /**
   * Whether the shop is making the order. If the run ends meanwhile, the page shows that only afterwards: until then
   * `payment.begin` shows its own stages, and the button must stay busy.
   */
  isMakingOrder: boolean;
  /** Shows how the run ended; null before that. */
  showEnd: (() => void) | null;
  /** Whether PayPal's window no longer decides the outcome: the run has ended, or the shop decides it. */
  isOver: boolean;
}

const NEW_RUN: Run = {
  request: null,
  orderId: null,
  isAskedFor: false,
  isMakingOrder: false,
  showEnd: null,
  isOver: false,
};

/** Opens PayPal's window, and settles when that has closed. */
type OpenPayPal = () => Promise<unknown>;

export function usePayPalFlow(
  payment: Payment,
  remote: CheckoutRemote,
  go: (href: string) => void,
) {
  const currentRun = useRef<Run | null>(null);

  async function createOrder(): Promise<{ orderId: string }> {
    const run = currentRun.current;
    if (!run?.request) throw new Error('PayPal asked for an order before the button was pressed');
    run.isAskedFor = true;
    run.isMakingOrder = true;
    const begun = await payment
      .begin(run.request, WALLET_WORDS, remote.createPayPalOrder)
      .finally(() => {
        run.isMakingOrder = false;
        run.showEnd?.();
      });
    // The shopper may have closed PayPal's window meanwhile.
    if (!begun || run.isOver) {
      // The page already shows why. PayPal answers the error below with `onError`, which then says nothing.
      run.isOver = true;
      throw new Error(WALLET_WORDS.notStarted);
    }
    run.orderId = begun.orderId;
    return { orderId: begun.value.payPalId };
  }

  async function onApprove({ orderId: payPalId }: { orderId: string }): Promise<void> {
    const isResumed = currentRun.current === null;
    const run = currentRun.current ?? { ...NEW_RUN };
    // From now on the shop decides how the run ends, whatever PayPal's window reports.
    run.isOver = true;
    payment.enter('processing');
    const verdict = await capture(remote, payPalId, isResumed);
    switch (verdict.kind) {
      case 'paid-or-pending':
        go(hrefOf(verdict.orderId ?? run.orderId));
        return;
      case 'signed-out':
        end(run, payment, verdict.why, WALLET_WORDS.signedOut);
        return;
      case 'not-completed':
        end(run, payment, verdict.why, NOT_COMPLETED);
        return;
      case 'unknown':
        await askForStatus(run, { payment, remote, go });
    }
  }

  async function openWindow(run: Run, open: OpenPayPal): Promise<void> {
    const isOpened = await open().then(
      () => run.isAskedFor,
      () => false,
    );
    // PayPal reports nothing more about a window that failed or did not ask for the order.
    if (!isOpened && currentRun.current === run) fail(run, payment);
  }

  return {
    callbacks: {
      presentationMode: PRESENTATION,
      createOrder,
      onApprove,
      onCancel: () => cancel(currentRun.current ?? { ...NEW_RUN }, payment),
      onError: () => fail(currentRun.current, payment),
    },
    /** @param handleClick opens PayPal's window; must be called in answer to a press */
    press(handleClick: OpenPayPal): void {
      const request = payment.check(WALLET_WORDS);
      if (!request) return;
      const run: Run = { ...NEW_RUN, request };
      currentRun.current = run;
      void openWindow(run, handleClick);
    },
  };
}

interface Checkout {
  readonly payment: Payment;
  readonly remote: CheckoutRemote;
  readonly go: (href: string) => void;
}

function end(run: Run, payment: Payment, why: ErrorMessage, alert: string): void {
  run.isOver = true;
  run.showEnd = () => {
    notify('alert', alert);
    payment.finish(why);
  };
  if (!run.isMakingOrder) run.showEnd();
}

function fail(run: Run | null, payment: Payment): void {
  if (!run || run.isOver) return;
  end(
    run,
    payment,
    errorMessage('Something went wrong at PayPal. Nothing was charged.'),
    WALLET_WORDS.failed,
  );
}

function cancel(run: Run, payment: Payment): void {
  if (!run.isOver) end(run, payment, errorMessage(CANCELLED), NOT_COMPLETED);
}

/** The page with the order's status; the list of orders when this page does not know which order it is. */
function hrefOf(orderId: string | null): string {
  return orderId === null ? '/orders' : successHref(orderId);
}

/** Asks the shop for the order's status, because PayPal may have taken the money without an answer. */
async function askForStatus(run: Run, { payment, remote, go }: Checkout) {
  const { orderId } = run;
  const answer = orderId === null ? null : await remote.orderStatus({ kind: 'order', id: orderId });
  if (answer?.ok && hasMoney(answer.value)) {
    go(hrefOf(orderId));
    return;
  }
  const link = { href: hrefOf(orderId), label: 'View order' };
  end(run, payment, errorMessage(UNKNOWN, link), 'Payment capture failed.');
}

const CANCELLED =
  'You left PayPal without paying. Nothing was charged, and your cart hasn’t changed.';

const UNKNOWN =
  'We don’t know yet whether PayPal charged you. You won’t be charged twice for the same order.';
