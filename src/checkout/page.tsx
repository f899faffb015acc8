import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useCart, useShopperView } from '../cart/queries.ts';
import type { ShopperView } from '../db/shopper-store.ts';
import { isOrderId } from '../domain/order.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import { notify } from '../ui/notices.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { CheckoutForm } from './checkout-form.tsx';
import { loadFraudSignals } from './pay/card.ts';
import { PayOrder } from './pay-order.tsx';
import styles from './page.module.css';
import { useDraft } from './queries.ts';
import { IS_TEST, STRIPE_KEY } from './settings.ts';
import { TestBand } from './test-band.tsx';

/** `/checkout`: orders the cart. With `?order=` the shopper pays an order that is placed already. */
export function CheckoutPage({ tokens }: { readonly tokens: TokenSource }) {
  const view = useShopperView();
  const [params] = useSearchParams();
  const orderId = params.get('order');
  useEffect(() => loadFraudSignals(STRIPE_KEY), []);

  return (
    <div className={styles['page']}>
      <PageTitle>Checkout</PageTitle>
      {IS_TEST && <TestBand />}
      {view === null && <SignedOut />}
      {view === undefined && <Arriving />}
      {/* The key gives each shopper a form of their own. */}
      {view && isOrderId(orderId) && (
        <PayOrder
          key={`${view.shopper.uid} ${orderId}`}
          view={view}
          orderId={orderId}
          tokens={tokens}
        />
      )}
      {view && !isOrderId(orderId) && (
        <SignedIn key={view.shopper.uid} view={view} tokens={tokens} />
      )}
    </div>
  );
}

interface SignedInProps {
  readonly view: ShopperView;
  readonly tokens: TokenSource;
}

function SignedIn({ view, tokens }: SignedInProps) {
  const cart = useCart();
  const draft = useDraft(view.shopper.uid);
  if (draft === undefined) return <Arriving />;
  return (
    cart && <CheckoutForm view={view} cart={cart} draft={draft?.fields ?? {}} tokens={tokens} />
  );
}

/** Redirects a visitor who is not signed in to the cart, and says why. */
function SignedOut() {
  useEffect(() => notify('alert', 'You must be logged in to checkout.'), []);
  return <Navigate to="/cart" replace />;
}
