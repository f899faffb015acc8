import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { CART_NOT_HERE_YET, type CartView } from '../domain/cart.ts';
import { formatPrice } from '../domain/money.ts';
import { focusHeading, PageTitle } from '../ui/page-title.tsx';
import { LeftBehind } from './left-behind.tsx';
import { CartLineItem } from './line-item.tsx';
import { clearCart } from './mutations.ts';
import styles from './page.module.css';
import { useCart, useShopperView } from './queries.ts';
import { RejectedChanges } from './rejected-changes.tsx';
import { SavingLine } from './saving-line.tsx';

/**
 * The cart, `/cart`.
 *
 * @param props.note stands above the lines
 */
export function CartPage({ note }: { readonly note: ReactElement }) {
  const view = useShopperView();
  const cart = useCart();

  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <PageTitle>Shopping Cart</PageTitle>
        <output className={styles['count']}>{cart && cart.count > 0 && countOf(cart.count)}</output>
      </div>
      {view && <SavingLine view={view} />}
      {view && <RejectedChanges rejected={view.rejected} />}
      <LeftBehind />
      {note}
      {view === null && <SignedOut />}
      {view && cart && cart.items.length > 0 && <Filled cart={cart} isKnown={view.isKnown} />}
      {view && cart?.items.length === 0 && <Empty isKnown={view.isKnown} />}
    </div>
  );
}

interface FilledProps {
  readonly cart: CartView;
  readonly isKnown: boolean;
}

function Filled({ cart, isKnown }: FilledProps) {
  return (
    <>
      {!isKnown && <p>{CART_NOT_HERE_YET}</p>}
      <ul className={styles['lines']}>
        {cart.items.map((item) => (
          <CartLineItem key={item.line.productId} item={item} />
        ))}
      </ul>
      <div className={styles['foot']}>
        <p className={styles['total']}>
          Total <strong>{formatPrice(cart.total)}</strong>
        </p>
        <button
          type="button"
          className={styles['clear']}
          onClick={() => {
            focusHeading();
            void clearCart(
              cart.items.map(({ line }) => line),
              isKnown,
            );
          }}
        >
          Clear Cart
        </button>
        <Link className="button" to="/checkout">
          Proceed to Checkout
        </Link>
      </div>
    </>
  );
}

/** `isKnown`: whether this device has read the cart from the server. */
function Empty({ isKnown }: { readonly isKnown: boolean }) {
  return (
    <div className={styles['empty']}>
      <p>{isKnown ? 'Your cart is empty' : CART_NOT_HERE_YET}</p>
      <Link to="/">Continue shopping</Link>
    </div>
  );
}

function SignedOut() {
  return (
    <div className={styles['empty']}>
      <p>Your cart is empty</p>
      <p>
        <Link to="/login?next=%2Fcart">Log in</Link> to see what you put into it before.
      </p>
      <Link to="/">Continue shopping</Link>
    </div>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString('en-US')} items`;
}
