import type { TokenSource } from '../remote/auth/token-source.ts';
import { OrdersPage } from './orders/page.tsx';
import { CheckoutPage } from './page.tsx';
import { SuccessPage } from './success.tsx';

interface PayingScreenProps {
  readonly path: '/checkout' | '/checkout/success' | '/orders';
  readonly tokens: TokenSource;
}

/**
 * The screens of paying in one chunk: a shopper who pays sees one after the other, and `index.html`
 * need not list a dozen small files.
 */
export function PayingScreen({ path, tokens }: PayingScreenProps) {
  switch (path) {
    case '/checkout':
      return <CheckoutPage tokens={tokens} />;
    case '/checkout/success':
      return <SuccessPage tokens={tokens} />;
    case '/orders':
      return <OrdersPage tokens={tokens} />;
  }
}
