import type { CartView } from '../../domain/cart.ts';
import { formatPrice, type Minor } from '../../domain/money.ts';
import { nameOf } from '../../domain/product.ts';
import { successHref } from '../../domain/routes.ts';
import type { EarlierPayment } from '../../remote/checkout.ts';
import { loginHere } from '../../ui/log-in-first.ts';
import { LONG_TIME } from '../../ui/dates.ts';
import { goneWords, type PlacingFailure } from './place-order.ts';

/** Why the shopper cannot pay, in words, for the place beside the button. */
export interface ErrorMessage {
  readonly text: string;
  readonly details: readonly string[];
  /** A page that says more about the problem, or where the shopper can solve it. */
  readonly link: { readonly href: string; readonly label: string } | null;
  /** The earlier order, if the message asks whether to pay for the same lines again; else null. */
  readonly earlierOrderId: string | null;
}

export function errorMessage(
  text: string,
  link: ErrorMessage['link'] = null,
  details: readonly string[] = [],
): ErrorMessage {
  return { text, details, link, earlierOrderId: null };
}

export const BACK_TO_CART = { href: '/cart', label: 'Review cart' } as const;

/** Leads back to this page, which may be about one order (`?order=`) or about the cart. */
export const logInLink = () => ({ href: loginHere(), label: 'Log in' });

/**
 * The message for the shopper about a failure.
 *
 * @param notStarted the specification's sentence for a payment that could not begin
 */
export function errorMessageOf(
  failure: PlacingFailure,
  notStarted: string,
  cart: CartView,
  shownTotal: Minor,
): ErrorMessage {
  switch (failure.kind) {
    case 'offline':
      // The host rejects too many requests with a page of its own, which is no answer of the shop.
      if (failure.status === 429) return errorMessage(`${notStarted}. ${TOO_OFTEN}`);
      return errorMessage(
        `${notStarted}. Check your connection and try again. You won’t be charged twice.`,
      );
    case 'sign-in':
      return errorMessage(
        'Your session has ended. Log in again. We’ve kept what you typed.',
        logInLink(),
      );
    case 'unsaved':
      return unsavedMessage(failure.saving);
    case 'changed':
      return errorMessage('Your cart has just changed. Check it before you pay.');
    case 'not-stored':
      return errorMessage(
        'This device couldn’t save your order because its storage is full or blocked. Nothing was charged.',
      );
    case 'total':
      return errorMessage(
        `The total has changed from ${formatPrice(shownTotal)} to ${formatPrice(failure.total)}. ` +
          'Nothing was charged. Press Pay to accept the new total.',
        BACK_TO_CART,
        failure.prices.map(({ productId, unitMinor }) => {
          const product = productIn(cart, productId);
          const was = product?.price ?? null;
          return `${product ? nameOf(product) : 'A product'}: from ${formatPrice(was)} to ${formatPrice(unitMinor)}.`;
        }),
      );
    case 'lines':
      return errorMessage(
        'Some items can’t be ordered.',
        BACK_TO_CART,
        failure.lines.map(({ productId, reason }) => {
          const product = productIn(cart, productId);
          const name = product ? nameOf(product) : 'A product in the cart';
          return reason === 'gone'
            ? goneWords(name)
            : `${name} doesn’t have a price yet. Remove it to order the rest.`;
        }),
      );
    case 'address':
      return errorMessage(
        // No field shows this problem: the form offers only countries that it knows.
        failure.problems.country ?? 'Check your address.',
      );
    case 'being-paid':
      return payAgainQuestion(failure);
    case 'order-paid':
    case 'payment-under-way':
    case 'rejected':
      return errorMessage(failure.message ?? notStarted);
  }
}

/** The question whether to pay once more for the lines of an earlier payment. */
function payAgainQuestion({ orderId, placedAt, message }: EarlierPayment): ErrorMessage {
  const date = placedAt === null ? null : LONG_TIME.format(new Date(placedAt));
  const when = date === null ? '' : ` You ordered them on ${date}.`;
  const reason = message ?? 'Your payment for these items is still being confirmed.';
  const link = { href: successHref(orderId), label: 'Don’t pay again' };
  return { ...errorMessage(`${reason}${when} Pay again?`, link), earlierOrderId: orderId };
}

function unsavedMessage(
  saving: Extract<PlacingFailure, { kind: 'unsaved' }>['saving'],
): ErrorMessage {
  if (saving === 'sign-in') {
    return errorMessage(
      'Your session has ended, so your latest cart changes aren’t saved.',
      logInLink(),
    );
  }
  return errorMessage(
    'Your latest cart changes aren’t saved, so you can’t pay yet. ' +
      'We’ll save them when you’re back online. Try again then.',
  );
}

function productIn(cart: CartView, productId: number) {
  return cart.items.find(({ line }) => line.productId === productId)?.product;
}

const TOO_OFTEN =
  'Too many attempts from your connection. Wait a minute and try again. You won’t be charged twice.';
