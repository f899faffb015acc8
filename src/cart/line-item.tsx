import { type CartItem, lineTotalOf, MAX_LINE_QUANTITY } from '../domain/cart.ts';
import { formatPrice } from '../domain/money.ts';
import { productHref } from '../domain/routes.ts';
import { focusNeighbour } from './focus-neighbour.ts';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './line-item.module.css';
import { changeQuantity, removeLine } from './mutations.ts';

/** Stands for a product that this device has never seen. */
export const UNSEEN = 'This product';

interface CartLineItemProps {
  readonly item: CartItem;
  /** The product's name, different on each line of the cart. */
  readonly name: string;
}

/** One line of the cart, with what has changed since the product was added. */
export function CartLineItem({ item, name }: CartLineItemProps) {
  const { line, product, status } = item;
  const isGone = status.kind === 'gone';
  return (
    <li className={styles['line']} aria-label={name}>
      <div className={styles['picture']}>
        <Picture link={product?.picture ?? null} alt="" sizes="7rem" isEager />
      </div>
      <h2 className={styles['title']}>
        {product && !isGone ? (
          <Link to={productHref(product)} aria-label={`View ${name}`} dir="auto">
            {product.title}
          </Link>
        ) : (
          <bdi>{product?.title ?? UNSEEN}</bdi>
        )}
        {product && product.size !== '' && (
          <span className={styles['size']}>
            <span className="visually-hidden">Size </span>
            <bdi>{product.size}</bdi>
          </span>
        )}
      </h2>
      {product && product.material !== null && (
        <p className={styles['material']} dir="auto">
          {product.material}
        </p>
      )}
      {!isGone && (
        <p className={styles['total']}>
          <span className="visually-hidden">Line total </span>
          <span>{formatPrice(lineTotalOf(item))}</span>
        </p>
      )}
      <Status item={item} />
      <div className={styles['foot']}>
        <Quantity
          name={name}
          quantity={line.quantity}
          isFixed={isGone || product === undefined}
          onChange={(by) => void changeQuantity(line.productId, by)}
        />
        <UnitPrice item={item} />
        <button
          type="button"
          className={styles['remove']}
          aria-label={`Remove: ${name}`}
          data-remove
          onClick={(event) => {
            focusNeighbour(event.currentTarget, '[data-remove]');
            void removeLine(line, name);
          }}
        >
          Remove
        </button>
      </div>
    </li>
  );
}

/** The price of one piece; nothing for a product that has no price or has left the shop. */
function UnitPrice({ item: { product, status } }: { readonly item: CartItem }) {
  if (!product || product.price === null || status.kind === 'gone') return null;
  return (
    <p className={styles['unit']}>
      <span aria-hidden="true">× </span>
      <span>{formatPrice(product.price)}</span>
      <span className="visually-hidden"> each</span>
    </p>
  );
}

function Status({ item: { line, status, product } }: { readonly item: CartItem }) {
  if (status.kind === 'gone') {
    return (
      <p className={styles['status']}>
        This product is no longer in the shop. It isn’t included in the total.
      </p>
    );
  }
  const isTooMany = line.quantity > MAX_LINE_QUANTITY;
  const isUnpriced = product?.price === null;
  if (!isTooMany && !isUnpriced && status.kind !== 'price') return null;
  return (
    <div className={styles['status']}>
      {isTooMany && (
        <p>
          {`You can order up to ${MAX_LINE_QUANTITY} of each product. Tap − to make it ${MAX_LINE_QUANTITY}.`}
        </p>
      )}
      {isUnpriced && <p>You can’t order this yet because it has no price.</p>}
      {status.kind === 'price' && (
        <p>
          {`The price has changed from ${formatPrice(status.was)} to ${formatPrice(product?.price ?? null)} since you added it.`}
        </p>
      )}
    </div>
  );
}

interface QuantityProps {
  readonly name: string;
  readonly quantity: number;
  /** Whether neither button changes the quantity. */
  readonly isFixed: boolean;
  /** Must itself keep to the limits: it is called even when the quantity on screen, perhaps out of date, is at a limit. */
  readonly onChange: (by: 1 | -1) => void;
}

/** The buttons are never `disabled`, because a disabled button loses the focus. */
function Quantity({ name, quantity, isFixed, onChange }: QuantityProps) {
  function press(by: 1 | -1): void {
    if (!isFixed) onChange(by);
  }

  return (
    <div className={styles['quantity']} role="group" aria-label={`Quantity of ${name}`}>
      <button
        type="button"
        aria-label={quantity > MAX_LINE_QUANTITY ? `Set to ${MAX_LINE_QUANTITY}` : 'One less'}
        aria-disabled={isFixed || quantity <= 1}
        onClick={() => press(-1)}
      >
        −
      </button>
      <output>{quantity}</output>
      <button
        type="button"
        aria-label="One more"
        aria-disabled={isFixed || quantity >= MAX_LINE_QUANTITY}
        onClick={() => press(1)}
      >
        +
      </button>
    </div>
  );
}
