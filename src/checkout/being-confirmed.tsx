import { useShopperView } from '../cart/queries.ts';
import type { ShopperView } from '../db/shopper-store.ts';
import type { AskedLine, Order, OrderLine } from '../domain/order.ts';
import { successHref } from '../domain/routes.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import styles from './being-confirmed.module.css';
import { LONG_TIME } from '../ui/dates.ts';
import { linesKeyOf } from './pay/place-order.ts';
import { useOrderRefresh, useOrders } from './queries.ts';
import { Link } from '../ui/link.tsx';

/**
 * Says in the cart and at the checkout that a payment is being confirmed. The lines stay in the cart until
 * the payment has arrived. Without a network the note goes by the orders that this device read last.
 */
export function BeingConfirmed({ tokens }: { readonly tokens: TokenSource }) {
  const view = useShopperView();
  return view ? <ConfirmingOrders key={view.shopper.uid} view={view} tokens={tokens} /> : null;
}

interface ConfirmingOrdersProps {
  readonly view: ShopperView;
  readonly tokens: TokenSource;
}

function ConfirmingOrders({ view, tokens }: ConfirmingOrdersProps) {
  const { uid } = view.shopper;
  // Each tap in the cart changes the shopper's data.
  useOrderRefresh(uid, tokens, isConfirming, false);
  const orders = useOrders(uid)?.filter(isConfirming) ?? [];
  const cartKey = linesKeyOf(view.data.cart.map(askedLineOf));
  return (
    <div role="status" className={styles['orders']}>
      {orders.map((order) => (
        <p key={order.id} className={styles['order']}>
          <span>
            {linesKeyOf(order.lines.map(askedLineOf)) === cartKey ? THIS_CART : OTHER_ORDER}
          </span>
          <span>{` You placed that order on ${LONG_TIME.format(new Date(order.createdAt))}. `}</span>
          <Link to={successHref(order.id)}>View that order</Link>
        </p>
      ))}
    </div>
  );
}

const THIS_CART =
  'Your payment for these items is still being confirmed. Please don’t pay again. They’ll stay in your cart until it’s confirmed.';
const OTHER_ORDER = 'A payment for another order is still being confirmed.';

function isConfirming({ state }: Order): boolean {
  return state === 'confirming';
}

function askedLineOf({
  productId,
  quantity,
}: Pick<OrderLine, 'productId' | 'quantity'>): AskedLine {
  return { product_id: productId, quantity };
}
