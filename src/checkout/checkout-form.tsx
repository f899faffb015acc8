import { type FormEvent, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import type { ShopperView } from '../db/shopper-store.ts';
import { CART_NOT_HERE_YET, type CartView } from '../domain/cart.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import { AddressForm, type AddressText, addressTextIn, countryOf } from './address-form.tsx';
import { linesOfCart, OrderSummary } from './lines.tsx';
import { storeDraft } from './mutations.ts';
import styles from './page.module.css';
import { useCheckoutRemote } from './queries.ts';
import { payByCard } from './pay/card.ts';
import { useStatusOnReturn } from './pay/coming-back.ts';
import { PayFoot } from './pay/pay-foot.tsx';
import { type PaymentMethod, PaymentMethodToggle } from './pay/payment-method.tsx';
import { validationErrorsOf } from './pay/place-order.ts';
import { mayResumePayPal } from './pay/paypal-return.ts';
import { usePayment } from './pay/use-payment.ts';

interface CheckoutFormProps {
  readonly view: ShopperView;
  readonly cart: CartView;
  /** The address that the shopper has typed before, as this device has stored it. */
  readonly draft: AddressText;
  readonly tokens: TokenSource;
}

export function CheckoutForm({ view, cart, draft, tokens }: CheckoutFormProps) {
  const { uid } = view.shopper;
  const remote = useCheckoutRemote(tokens, uid);
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [method, setMethod] = useState<PaymentMethod>(mayResumePayPal() ? 'paypal' : 'card');
  // Keeps the first draft: the stored one follows what is typed, and must not change the fields.
  const [firstDraft] = useState(draft);
  const [country, setCountry] = useState(() => countryOf(draft));
  const go = (href: string) => void navigate(href);
  const payment = usePayment({
    view,
    cart,
    readAddress: keepTyped,
    focusField(name) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLElement) field.focus();
    },
  });
  const { stage, total } = payment;
  useStatusOnReturn(remote, payment, go);

  if (cart.items.length === 0 && stage === 'idle') {
    return view.isKnown ? <Navigate to="/cart" replace /> : <p>{CART_NOT_HERE_YET}</p>;
  }

  /** Stores the texts of the form as the shopper's draft, and returns them. */
  function keepTyped(): AddressText {
    const text = form.current ? addressTextIn(form.current) : firstDraft;
    storeDraft(uid, text);
    return text;
  }

  function noteInput(name: string): void {
    setCountry(countryOf(keepTyped()));
    payment.clearProblem(name);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (method === 'card') void payByCard(payment, remote);
  }

  const isRead = cart.items.every(({ status }) => status.kind !== 'unread');
  const obstacles = isRead ? validationErrorsOf(cart) : [];
  return (
    <form ref={form} className={styles['form']} method="post" noValidate onSubmit={submit}>
      <div className={styles['column']}>
        {/* Above the address, so that nobody types it for what they cannot order. */}
        {obstacles.length > 0 && (
          <ErrorBox
            heading="Some items can’t be ordered"
            action={{ label: BACK.label, run: () => go(BACK.href) }}
          >
            {obstacles.join(' ')}
          </ErrorBox>
        )}
        <PaymentMethodToggle
          method={method}
          // The shopper cannot change the method while a payment is under way.
          onChoose={(next) => stage === 'idle' && setMethod(next)}
        />
        <AddressForm
          draft={firstDraft}
          country={country}
          problems={payment.problems}
          onType={noteInput}
        />
      </div>
      <div className={styles['column']}>
        <OrderSummary lines={linesOfCart(cart)} total={total} />
        <PayFoot {...{ payment, method, remote, go, view }} back={BACK} />
      </div>
    </form>
  );
}

const BACK = { href: '/cart', label: 'Back to Cart' };
