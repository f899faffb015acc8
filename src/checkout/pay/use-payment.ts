import { useRef, useState } from 'react';
import { connection } from '../../db/connection.ts';
import { shopperStore, type ShopperView } from '../../db/shopper-store.ts';
import { type AddressProblems, parseAddress } from '../../domain/address.ts';
import type { CartView } from '../../domain/cart.ts';
import type { Minor } from '../../domain/money.ts';
import type { AskedLine } from '../../domain/order.ts';
import type { CheckoutAnswer, PayRequest } from '../../remote/checkout.ts';
import { dismissNotice, notify } from '../../ui/notices.ts';
import type { AddressText } from '../address-form.tsx';
import {
  BACK_TO_CART,
  type ErrorMessage,
  errorMessage,
  errorMessageOf,
  logInLink,
} from './error-message.ts';
import {
  cartNow,
  type CheckoutRequest,
  placeOrder,
  type PlacingFailure,
  validationErrorsOf,
} from './place-order.ts';

/** `saving`: the page waits until the server has the cart. */
type Stage = 'idle' | 'saving' | 'processing';

/** The stage of a payment, and the message about it beside the button. */
export interface PaymentState {
  readonly stage: Stage;
  readonly error: ErrorMessage | null;
  readonly problems: AddressProblems;
  /** Hides the problem of a field that the shopper edits. */
  readonly clearProblem: (field: string) => void;
  /** Ends the attempt on this page, so that the shopper can press the button again. */
  readonly finish: (error?: ErrorMessage | null) => void;
  /** Shows an error unless a payment is under way. Returns whether the error is shown. */
  readonly show: (error: ErrorMessage | null) => boolean;
  /** Shows what is wrong with the address, and moves the focus to the first such field. */
  readonly showProblems: (problems: AddressProblems) => void;
  readonly enter: (stage: 'saving' | 'processing') => void;
  /** Whether a payment is under way, also before React has rendered that. */
  readonly isBusy: () => boolean;
  /**
   * Calls `press`, which begins another attempt. Meanwhile `earlierOrderId()` returns this order's id, so the
   * request of that attempt says that the shopper agrees to pay for the same lines once more.
   */
  readonly payAgain: (earlierOrderId: string, press: () => void) => void;
  /** The id that `payAgain` was called with, until it returns; null otherwise. */
  readonly earlierOrderId: () => string | null;
}

/** @param focusField moves the focus to a field of the form */
export function usePaymentState(focusField: (name: string) => void): PaymentState {
  const [stage, setStage] = useState<Stage>('idle');
  const [error, setError] = useState<ErrorMessage | null>(null);
  const [problems, setProblems] = useState<AddressProblems>({});
  // A ref, because the shopper may press again before React has rendered the first press.
  const isBusy = useRef(false);
  const earlier = useRef<string | null>(null);
  return {
    stage,
    error,
    problems,
    clearProblem: (field) => setProblems((current) => withoutField(current, field)),
    finish(next = null) {
      isBusy.current = false;
      setStage('idle');
      setError(next);
    },
    show(next) {
      if (isBusy.current) return false;
      setError(next);
      return true;
    },
    showProblems(next) {
      setProblems(next);
      const [firstField] = Object.keys(next);
      if (firstField !== undefined) focusField(firstField);
    },
    enter(next) {
      isBusy.current = true;
      setError(null);
      setStage(next);
    },
    isBusy: () => isBusy.current,
    payAgain(earlierOrderId, press) {
      earlier.current = earlierOrderId;
      press();
      earlier.current = null;
    },
    earlierOrderId: () => earlier.current,
  };
}

/** The problems without that of a field; none after a change of country, because every rule changes. */
function withoutField(problems: AddressProblems, field: string): AddressProblems {
  if (field === 'country') return {};
  return Object.fromEntries(Object.entries(problems).filter(([name]) => name !== field));
}

/** The specification's sentences about a payment that cannot begin; each method has its own. */
export interface MethodWords {
  readonly signedOut: string;
  /** The notice when an attempt failed. */
  readonly failed: string;
  /** The reason beside the button, where the shop's answer has none. */
  readonly notStarted: string;
}

export interface Payment extends Pick<
  PaymentState,
  'stage' | 'error' | 'problems' | 'clearProblem' | 'enter' | 'finish' | 'show' | 'payAgain'
> {
  /** The sum to pay: the cart's total, or the shop's own where that differs. */
  readonly total: Minor;
  /** Returns the order to place; null when there is an obstacle, which the page then shows. */
  readonly check: (words: MethodWords) => CheckoutRequest | null;
  /** Places the order and begins its payment. Resolves to null on a failure, which the page then shows. */
  readonly begin: <T>(
    request: CheckoutRequest,
    words: MethodWords,
    send: (request: PayRequest) => Promise<CheckoutAnswer<T>>,
  ) => Promise<{ readonly value: T; readonly orderId: string } | null>;
}

interface PaymentOptions {
  readonly view: ShopperView;
  readonly cart: CartView;
  /** Returns what the form holds of the address. */
  readonly readAddress: () => AddressText;
  /** Moves the focus to a field of the form. */
  readonly focusField: (name: string) => void;
}

/** How long the page waits until the server has the cart, before it says that the changes are not saved. */
const SAVING_TIMEOUT_MS = 15_000;
/** The same while the browser says that it has no network. */
const OFFLINE_SAVING_TIMEOUT_MS = 2000;

export function usePayment({ view, cart, readAddress, focusField }: PaymentOptions): Payment {
  const state = usePaymentState(focusField);
  const [shopTotal, setShopTotal] = useState<ShopTotal | null>(null);
  const total = shopTotal && shopTotal.cartKey === cartKeyOf(cart) ? shopTotal.total : cart.total;

  return {
    ...state,
    total,
    check(words) {
      if (!mayBegin(state, view, words)) return null;
      const address = parseAddress(readAddress());
      state.showProblems(address.ok ? {} : address.problems);
      if (!address.ok) return null;
      const errors = validationErrorsOf(cart);
      if (errors.length > 0) {
        state.show(errorMessage('Some items can’t be ordered.', BACK_TO_CART, errors));
        return null;
      }
      return {
        uid: view.shopper.uid,
        lines: askedLinesOf(cart),
        address: address.address,
        shownTotal: total,
        earlierOrderId: state.earlierOrderId(),
      };
    },
    async begin(request, words, send) {
      state.enter(view.unsaved > 0 ? 'saving' : 'processing');
      const placed = await placeOrder(placingTools(), request, (payRequest) => {
        state.enter('processing');
        return send(payRequest);
      }).catch((error: unknown) => {
        state.finish();
        throw error;
      });
      if (placed.ok) return placed;
      const { failure } = placed;
      if (failure.kind === 'total') {
        setShopTotal({ cartKey: cartKeyOf(cart), total: failure.total });
      }
      state.finish(errorMessageOf(failure, words.notStarted, cart, request.shownTotal));
      announceFailure(failure, words, state);
      return null;
    },
  };
}

/** Whether a payment may begin now. A shopper whose session has ended is told so. */
export function mayBegin(
  state: PaymentState,
  { shopper }: ShopperView,
  { signedOut }: MethodWords,
): boolean {
  if (state.isBusy()) return false;
  // Messages about the last attempt do not hold for this one.
  state.show(null);
  dismissNotice();
  if (shopper.session !== 'live') announceSignedOut(signedOut);
  return shopper.session === 'live';
}

/** The cart as lines of an order request, with the prices on the screen. */
function askedLinesOf({ items }: CartView): AskedLine[] {
  return items.map(({ line: { productId, quantity }, product }) => {
    const price = product?.price ?? null;
    return { product_id: productId, quantity, ...(price === null ? {} : { unit_minor: price }) };
  });
}

/** A key of the cart's lines and total. */
function cartKeyOf({ items, total }: CartView): string {
  return JSON.stringify([items.map(({ line }) => [line.productId, line.quantity]), total]);
}

function placingTools() {
  return {
    db: connection.db,
    cart: cartNow,
    subscribe: shopperStore.subscribe,
    newId: () => crypto.randomUUID(),
    timeoutMs: navigator.onLine ? SAVING_TIMEOUT_MS : OFFLINE_SAVING_TIMEOUT_MS,
  };
}

/** The shop's total for one cart, where it differs from the total that this device computed. */
interface ShopTotal {
  readonly cartKey: string;
  readonly total: Minor;
}

/** Failures whose message tells the shopper what to do, so that no general notice is needed. */
const EXPLAINED: ReadonlySet<PlacingFailure['kind']> = new Set([
  'total',
  'lines',
  'being-paid',
  'changed',
  'unsaved',
]);

export function announceFailure(
  failure: PlacingFailure,
  words: MethodWords,
  { showProblems }: Pick<PaymentState, 'showProblems'>,
): void {
  if (failure.kind === 'sign-in') announceSignedOut(words.signedOut);
  else if (failure.kind === 'address') showProblems(failure.problems);
  else if (!EXPLAINED.has(failure.kind)) notify('alert', words.failed);
}

function announceSignedOut(text: string): void {
  const { label, href } = logInLink();
  notify('alert', text, { label, run: () => location.assign(href) });
}
