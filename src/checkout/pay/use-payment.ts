import { useRef, useState } from 'react';
import { connection } from '../../db/connection.ts';
import { shopperStore, type ShopperView } from '../../db/shopper-store.ts';
import { type AddressProblems, parseAddress } from '../../domain/address.ts';
import type { CartView } from '../../domain/cart.ts';
import type { Minor } from '../../domain/money.ts';
import type { CheckoutAnswer, PayRequest } from '../../remote/checkout.ts';
import { dismissNotice, notify } from '../../ui/notices.ts';
import type { AddressText } from '../address-form.tsx';
import { cartNow, keyOf, linesOf } from './asked-lines.ts';
import { validationErrorsOf } from './validation.ts';
import { placeOrder, type PlacingFailure, type CheckoutRequest } from './place-order.ts';
import {
  BACK_TO_CART,
  payAgain,
  SIGN_IN,
  type ErrorMessage,
  errorMessage,
  errorMessageOf,
} from './error-message.ts';

/** The specification's words where a way to pay cannot be begun. */
export interface MethodWords {
  readonly signedOut: string;
  /** The notice. */
  readonly failed: string;
  /** The reason, where the shop gives none. */
  readonly unbegun: string;
}

/** `saving`: the cart is being saved first. */
export type Stage = 'idle' | 'saving' | 'processing';

export interface Payment {
  readonly stage: Stage;
  readonly trouble: ErrorMessage | null;
  readonly problems: AddressProblems;
  /** What the shop asks for: the cart's total, or the other one that was agreed to be looked at. */
  readonly total: Minor;
  /** A field is being mended: its problem is no longer shown. */
  readonly mend: (field: string) => void;
  /** What would be ordered; null when something stands in the way, which is then said. */
  readonly check: (words: MethodWords) => CheckoutRequest | null;
  /** Places the order and begins to pay it; null when that came to nothing, which is then said. */
  readonly begin: <T>(
    request: CheckoutRequest,
    words: MethodWords,
    send: (request: PayRequest) => Promise<CheckoutAnswer<T>>,
  ) => Promise<{ readonly value: T; readonly orderId: string } | null>;
  /** The shopper was told of this order: this press of the button pays the same once more. */
  readonly again: (orderId: string, press: () => void) => void;
  /** It is over: the button can be pressed again. */
  readonly rest: (trouble?: ErrorMessage | null) => void;
  /** Says something, unless a payment is under way; answers whether it was said. */
  readonly say: (trouble: ErrorMessage) => boolean;
}

interface PaymentOptions {
  readonly view: ShopperView;
  readonly cart: CartView;
  readonly text: AddressText;
  /** Moves the focus to a field of the form. */
  readonly focusField: (name: string) => void;
}

/** How long to wait for the cart to be saved before saying that it is not. */
const PATIENCE_MS = 15_000;
/** The same when the browser believes that it has no network. */
const OFFLINE_PATIENCE_MS = 2000;

export function usePayment({ view, cart, text, focusField }: PaymentOptions): Payment {
  const [stage, setStage] = useState<Stage>('idle');
  const [shown, setShown] = useState<ErrorMessage | null>(null);
  const [problems, setProblems] = useState<AddressProblems>({});
  const [asked, setAsked] = useState<AskedTotal | null>(null);
  // A second press comes before React has drawn the first.
  const isBusy = useRef(false);
  const agreed = useRef<string | null>(null);
  const total = asked && asked.key === keyOf(cart) ? asked.total : cart.total;

  function rest(next: ErrorMessage | null = null): void {
    isBusy.current = false;
    setStage('idle');
    setShown(next);
  }

  function say(next: ErrorMessage): boolean {
    if (isBusy.current) return false;
    setShown(next);
    return true;
  }

  function look(found: AddressProblems): void {
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined) focusField(first);
  }

  function check(words: MethodWords): CheckoutRequest | null {
    const again = agreed.current;
    agreed.current = null;
    if (isBusy.current) return null;
    // What was said of the last try does not hold for this one.
    setShown(null);
    dismissNotice();
    if (view.shopper.session !== 'live') {
      tellSignedOut(words.signedOut);
      return null;
    }
    const address = parseAddress(text);
    look(address.ok ? {} : address.problems);
    if (!address.ok) return null;
    const errors = validationErrorsOf(cart);
    if (errors.length > 0) {
      setShown(errorMessage('The cart cannot be ordered as it is.', errors, BACK_TO_CART));
      return null;
    }
    return {
      uid: view.shopper.uid,
      lines: linesOf(cart),
      address: address.address,
      shownTotal: total,
      again,
    };
  }

  async function begin<T>(
    request: CheckoutRequest,
    words: MethodWords,
    send: (request: PayRequest) => Promise<CheckoutAnswer<T>>,
  ) {
    isBusy.current = true;
    setShown(null);
    setStage(view.unsaved > 0 ? 'saving' : 'processing');
    const placed = await placeOrder(
      {
        db: connection.db,
        cart: cartNow,
        subscribe: shopperStore.subscribe,
        newId: () => crypto.randomUUID(),
        patienceMs: navigator.onLine ? PATIENCE_MS : OFFLINE_PATIENCE_MS,
      },
      request,
      (request) => {
        setStage('processing');
        return send(request);
      },
    ).catch((error: unknown) => {
      rest();
      throw error;
    });
    if (placed.ok) return placed;
    const { failure, orderId } = placed;
    if (failure.kind === 'total') setAsked({ key: keyOf(cart), total: failure.total });
    if (orderId !== null && codeOf(failure) === 'payment-under-way') {
      rest(payAgain({ orderId, placedAt: null, message: null }));
      return null;
    }
    if (orderId !== null && codeOf(failure) === 'order-paid') {
      rest(payAgain({ orderId, placedAt: null, message: PAID_ALREADY }));
      return null;
    }
    if (failure.kind === 'sign-in') tellSignedOut(words.signedOut);
    else if (SAYS_ENOUGH.has(failure.kind))
      look(failure.kind === 'address' ? failure.problems : {});
    else notify('alert', words.failed);
    rest(errorMessageOf(failure, words.unbegun, cart, request.shownTotal));
    return null;
  }

  return {
    stage,
    trouble: shown,
    problems,
    total,
    mend: (field) => setProblems((found) => without(found, field)),
    check,
    begin,
    again(orderId, press) {
      agreed.current = orderId;
      press();
      agreed.current = null;
    },
    rest,
    say,
  };
}

/** With another country all is to be looked at anew. */
function without(found: AddressProblems, field: string): AddressProblems {
  const others = Object.entries(found).filter(([name]) => name !== field && field !== 'country');
  return Object.fromEntries(others);
}

/** A total that the shop named in place of ours, for one cart. */
interface AskedTotal {
  readonly key: string;
  readonly total: Minor;
}

/** What the failure says is not "something went wrong": it tells what to do. */
const SAYS_ENOUGH: ReadonlySet<PlacingFailure['kind']> = new Set([
  'total',
  'lines',
  'being-paid',
  'address',
  'changed',
  'unsaved',
]);

const PAID_ALREADY = 'You have paid for exactly this already.';

function tellSignedOut(text: string): void {
  notify('alert', text, { label: SIGN_IN.label, run: () => location.assign(SIGN_IN.href) });
}

function codeOf(failure: PlacingFailure): string | null {
  return failure.kind === 'rejected' ? failure.code : null;
}
