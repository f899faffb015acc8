import { CART_NOT_HERE_YET, type CartView } from '../domain/cart.ts';
import { countOf } from '../domain/count.ts';
import { formatPrice } from '../domain/money.ts';
import { namesAmong } from '../domain/product.ts';
import { Link } from '../ui/link.tsx';
import { Empty } from '../ui/empty.tsx';
import { focusHeading, PageTitle } from '../ui/page-title.tsx';
import { CartLineItem, UNSEEN } from './line-item.tsx';
import { clearCart } from './mutations.ts';
import styles from './page.module.css';
import { useCart, useShopperView } from './queries.ts';
import { RejectedChanges } from './rejected-changes.tsx';
import { SavingLine } from './saving-line.tsx';

/** The cart, `/cart`. */
export function CartPage() {
  const view = useShopperView();
  const cart = useCart();

  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <PageTitle>Shopping Cart</PageTitle>
        <output className={styles['count']}>
          {cart && cart.count > 0 && countOf(cart.count, 'item')}
        </output>
        {view && <SavingLine view={view} />}
      </div>
      {view && <RejectedChanges view={view} />}
      {view === null && <SignedOut />}
      {view && cart && cart.items.length > 0 && <Filled cart={cart} isKnown={view.isKnown} />}
      {view && cart?.items.length === 0 && <WithoutLines isKnown={view.isKnown} />}
    </div>
  );
}

interface FilledProps {
  readonly cart: CartView;
  /** Whether this device has read the whole cart from the server. */
  readonly isKnown: boolean;
}

function Filled({ cart, isKnown }: FilledProps) {
  const products = cart.items.map(({ line, product }) => {
    // The id takes the place of the stock code, which makes names of alike products differ.
    return product ?? { title: UNSEEN, size: '', skc: String(line.productId) };
  });
  const names = products.map(namesAmong(products));
  return (
    <>
      {!isKnown && <p>{CART_NOT_HERE_YET}</p>}
      <div className={styles['columns']}>
        <div>
          <ul className={styles['lines']}>
            {cart.items.map((item, i) => (
              <CartLineItem key={item.line.productId} item={item} name={names[i] ?? UNSEEN} />
            ))}
          </ul>
          <ClearCart cart={cart} isKnown={isKnown} />
        </div>
        <section className={styles['summary']} aria-labelledby="summary">
          <h2 id="summary">Summary</h2>
          <p className={styles['total']}>
            Total <strong>{formatPrice(cart.total)}</strong>
          </p>
          <Link className="button" to="/checkout">
            Proceed to Checkout
          </Link>
          <p className={styles['aside']}>Pay by card or with PayPal on the next page.</p>
        </section>
      </div>
    </>
  );
}

function ClearCart({ cart, isKnown }: FilledProps) {
  return (
    <button
      type="button"
      className={`quiet ${styles['clear']}`}
      onClick={() => {
        focusHeading();
        void clearCart(
          cart.items.map(({ line }) => line),
          { isWhole: isKnown },
        );
      }}
    >
      Clear Cart
    </button>
  );
}

function WithoutLines({ isKnown }: Pick<FilledProps, 'isKnown'>) {
  return (
    <Empty>
      <p>{isKnown ? 'Your cart is empty' : CART_NOT_HERE_YET}</p>
      <ContinueShopping />
    </Empty>
  );
}

function SignedOut() {
  return (
    <Empty>
      <p>Your cart is empty</p>
      <p>
        <Link to="/login?next=%2Fcart">Log in</Link> to see your saved cart.
      </p>
      <ContinueShopping />
    </Empty>
  );
}

function ContinueShopping() {
  return (
    <Link className="button" to="/">
      Continue shopping
    </Link>
  );
}
