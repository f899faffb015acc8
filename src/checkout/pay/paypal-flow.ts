/**
 * One press of the PayPal button, from the order to the money.
 *
 * PayPal opens its window at once, as browsers allow only in answer to a press, and waits there for
 * the order that the shop makes meanwhile. When the shopper has approved it, the shop takes the
 * money. After a declined instrument the same order goes back to PayPal for another one.
 */
import { useRef } from 'react';
import type { CheckoutAnswer, CheckoutRemote } from '../../remote/checkout.ts';
import { dismissNotice, notify } from '../../ui/notices.ts';
import { successHref } from '../go.ts';
import { hasMoney } from './order-watch.ts';
import type { CheckoutRequest } from './place-order.ts';
import { type ErrorMessage, errorMessage } from './error-message.ts';
import type { MethodWords, Payment } from './use-payment.ts';

/** Specification, sections 6 and 8. */
const WALLET_WORDS: MethodWords = {
  signedOut: 'You must be logged in.',
  failed: 'PayPal payment failed. Please try again.',
  unbegun: 'Failed to create PayPal order',
};
const NOT_COMPLETED = 'Payment was not completed.';

/** What is going on between a press and its end. */
interface Run {
  readonly request: CheckoutRequest;
  /** The shop's order; null before there is one. */
  orderId: string | null;
  /** PayPal's, to go back to it after a declined instrument. */
  payPalId: string | null;
  /** PayPal has asked for the order. */
  isAskedFor: boolean;
  /** The rest is the shop's to say, or was said: what PayPal tells of it does not count. */
  isOver: boolean;
}

type Start = () => Promise<unknown>;

export function usePayPalFlow(
  payment: Payment,
  remote: CheckoutRemote,
  go: (href: string) => void,
) {
  const run = useRef<Run | null>(null);
  const start = useRef<Start | null>(null);

  function end(why: ErrorMessage, alert: string | null): void {
    if (run.current) run.current.isOver = true;
    if (alert !== null) notify('alert', alert);
    payment.rest(why);
  }

  function fail(): void {
    if (run.current?.isOver !== false) return;
    end(errorMessage('PayPal stopped. Nothing was charged.'), WALLET_WORDS.failed);
  }

  function cancel(): void {
    if (run.current?.isOver !== false) return;
    end(errorMessage(CANCELLED), NOT_COMPLETED);
  }

  async function createOrder(): Promise<{ orderId: string }> {
    const own = run.current;
    if (!own) throw new Error('PayPal asked for an order that nobody wants to pay');
    own.isAskedFor = true;
    if (own.payPalId !== null) return { orderId: own.payPalId };
    const begun = await payment.begin(own.request, WALLET_WORDS, remote.createPayPalOrder);
    if (!begun) {
      own.isOver = true;
      throw new Error(WALLET_WORDS.unbegun);
    }
    own.orderId = begun.orderId;
    own.payPalId = begun.value.payPalId;
    return { orderId: own.payPalId };
  }

  async function onApprove({ orderId: payPalId }: { orderId: string }): Promise<void> {
    const own = run.current;
    if (!own?.orderId) return;
    // What comes of it is the shop's to say, whatever PayPal's window does now.
    own.isOver = true;
    const answer = await captured(remote, payPalId);
    const verdict = verdictOf(answer);
    switch (verdict.kind) {
      case 'look':
        leave(own.orderId);
        return;
      case 'again':
        notify('alert', NOT_COMPLETED);
        await restart(own);
        return;
      case 'signed-out':
        end(verdict.why, WALLET_WORDS.signedOut);
        return;
      case 'not-completed':
        end(verdict.why, NOT_COMPLETED);
        return;
      case 'unknown':
        await askAbout(own.orderId);
    }
  }

  /** The money may have been taken although no answer came. */
  async function askAbout(orderId: string): Promise<void> {
    const answer = await remote.orderStatus({ kind: 'order', id: orderId });
    if (answer.ok && hasMoney(answer.value)) {
      leave(orderId);
      return;
    }
    const link = { href: successHref(orderId), label: 'See what became of it' };
    end(errorMessage(UNKNOWN, [], link), 'Payment capture failed.');
  }

  /** What was said of an instrument that was declined no longer holds. */
  function leave(orderId: string): void {
    dismissNotice();
    go(successHref(orderId));
  }

  /** PayPal shows the same order again, and asks for another way to pay it. */
  async function restart(own: Run): Promise<void> {
    own.isAskedFor = false;
    own.isOver = false;
    // Some browsers open no window without a press: then the next press does.
    if (start.current && !(await hasOpened(own, start.current))) {
      end(
        errorMessage('PayPal could not charge this. Press again to choose another way there.'),
        null,
      );
    }
  }

  return {
    callbacks: {
      presentationMode: 'auto' as const,
      createOrder,
      onApprove,
      onCancel: cancel,
      onError: fail,
    },
    /** @param handleClick opens PayPal's window; must be called in answer to a press */
    press(handleClick: Start): void {
      const request = payment.check(WALLET_WORDS);
      if (!request) return;
      const own: Run = { request, orderId: null, payPalId: null, isAskedFor: false, isOver: false };
      run.current = own;
      start.current = handleClick;
      void hasOpened(own, handleClick).then((isOpen) => isOpen || fail());
    },
  };

  /** False when there was no window, no order and no word of it: nothing else will come then. */
  async function hasOpened(own: Run, open: Start): Promise<boolean> {
    const hasThrown = await open().then(
      () => false,
      () => true,
    );
    return run.current !== own || own.isOver || (!hasThrown && own.isAskedFor);
  }
}

const CANCELLED =
  'You left PayPal without paying. Nothing was charged, and your cart is as it was.';

const UNKNOWN =
  'It is not known whether PayPal took the money. It is never taken twice for one order.';

type Verdict =
  /** There is money, or may be: the success page says what becomes of it. */
  | { readonly kind: 'look' }
  /** The instrument was declined: another one for the same order. */
  | { readonly kind: 'again' }
  /** No answer, or none that says what became of the money. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-completed' | 'signed-out'; readonly why: ErrorMessage };

function verdictOf(answer: CheckoutAnswer<{ readonly status: string }>): Verdict {
  if (answer.ok) {
    const { status } = answer.value;
    if (status === 'COMPLETED' || status === 'PENDING') return { kind: 'look' };
    const why = errorMessage('PayPal did not make this payment. Nothing was charged.');
    return { kind: 'not-completed', why };
  }
  const { failure } = answer;
  if (failure.kind === 'sign-in') {
    return { kind: 'signed-out', why: errorMessage('Sign in, and pay again: no money was taken.') };
  }
  if (failure.kind !== 'rejected' || failure.code === null) return { kind: 'unknown' };
  if (failure.code === 'INSTRUMENT_DECLINED') return { kind: 'again' };
  if (failure.code === 'order-paid' || failure.code === 'payment-under-way')
    return { kind: 'look' };
  return { kind: 'not-completed', why: errorMessage(failure.message ?? 'Nothing was charged.') };
}

/** Pauses between tries to take the money: the same request is one at PayPal, however often it is sent. */
const PAUSES_MS = [500, 2000];

/** Takes the money, and asks again where no answer came. */
async function captured(
  remote: CheckoutRemote,
  payPalId: string,
): Promise<CheckoutAnswer<{ readonly status: string }>> {
  for (const pauseMs of PAUSES_MS) {
    const answer = await remote.capturePayPalOrder(payPalId);
    const isUnknown = !answer.ok && verdictOf(answer).kind === 'unknown';
    if (!isUnknown) return answer;
    await new Promise((done) => setTimeout(done, pauseMs));
  }
  return remote.capturePayPalOrder(payPalId);
}
