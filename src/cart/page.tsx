import { Link } from 'react-router-dom';
import type { CartView } from '../domain/cart.ts';
import { formatPrice } from '../domain/money.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { CartLineItem } from './line-item.tsx';
import { clearCart } from './mutations.ts';
import styles from './page.module.css';
import { useCart, useShopper } from './queries.ts';
import { Refused } from './refused.tsx';
import { SavingLine } from './saving-line.tsx';

/** The cart, `/cart`. */
export function CartPage() {
  const view = useShopper();
  const cart = useCart();

  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <PageTitle>Shopping Cart</PageTitle>
        <output className={styles['count']}>{cart && cart.count > 0 && countOf(cart.count)}</output>
      </div>
      {view && <SavingLine view={view} />}
      {view && <Refused refused={view.refused} />}
      {view === null && <SignedOut />}
      {view && cart && cart.items.length > 0 && <Filled cart={cart} />}
      {view && cart?.items.length === 0 && <Empty isKnown={view.isKnown} />}
    </div>
  );
}

function Filled({ cart }: { readonly cart: CartView }) {
  return (
    <>
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
          onClick={() => void clearCart(cart.items.map(({ line }) => line))}
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

/** `isKnown`: the server has said so; otherwise nobody can tell yet. */
function Empty({ isKnown }: { readonly isKnown: boolean }) {
  return (
    <div className={styles['empty']}>
      <p>
        {isKnown
          ? 'Your cart is empty'
          : 'Your cart is not on this phone yet. It appears when the shop has been reached.'}
      </p>
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
