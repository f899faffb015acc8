import { useNavigate } from 'react-router-dom';
import { moneyBackWords } from '../../domain/money-back.ts';
import { formatTotal } from '../../domain/money.ts';
import { type Order, type OrderState, orderStateWords } from '../../domain/order.ts';
import { orderNumber } from '../../domain/order-number.ts';
import { payHref } from '../../domain/routes.ts';
import { sentWords } from '../../domain/sent.ts';
import { LONG_DAY, LONG_TIME } from '../../ui/dates.ts';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Lines } from '../lines.tsx';
import { orderAgain } from '../mutations.ts';
import { OrderAddress } from './order-address.tsx';
import styles from './order-row.module.css';

/** One order: a summary that opens to its lines, its address and Order again. */
export function OrderRow({ order }: { readonly order: Order }) {
  const { id, state, totalMinor, createdAt, lines } = order;
  const placedAt = new Date(createdAt);
  return (
    <li
      className={styles['order']}
      aria-label={`Order placed ${LONG_TIME.format(placedAt)}, ${orderNumber(id)}`}
    >
      <details>
        <summary>
          <h2 className={styles['day']}>
            <time dateTime={createdAt}>{LONG_DAY.format(placedAt)}</time>
          </h2>
          <p className={styles['number']}>
            <span className="visually-hidden">Order number </span>
            <span>{orderNumber(id)}</span>
          </p>
          <div className={styles['state']} data-open={OPEN.has(state) || order.dispute === 'open'}>
            {[orderStateWords(state), sentWords(order), ...moneyBackWords(order)].map(
              (words) => words !== null && <p key={words}>{words}</p>,
            )}
          </div>
          <FirstPictures order={order} />
          <p className={styles['sum']}>{formatTotal(totalMinor)}</p>
        </summary>
        <div className={styles['details']}>
          <Lines lines={lines} total={totalMinor} isLinked />
          <OrderAddress order={order} />
          <OrderAgain order={order} />
        </div>
      </details>
      {state === 'pending' && <PayLink order={order} />}
    </li>
  );
}

const MOST_PICTURES = 3;

/** The pictures of the first lines, and how many more lines there are. */
function FirstPictures({ order: { lines } }: { readonly order: Order }) {
  const moreCount = lines.length - MOST_PICTURES;
  return (
    <div className={styles['pictures']}>
      {lines.slice(0, MOST_PICTURES).map(({ productId, picture }) => (
        <Picture key={productId} link={picture} alt="" sizes="3rem" isEager={false} />
      ))}
      {moreCount > 0 && (
        <span>
          <span>{`+${moreCount}`}</span>
          <span className="visually-hidden"> more</span>
        </span>
      )}
    </div>
  );
}

/** States that may still change: the shopper, a payment provider or the shop has to act. */
const OPEN: ReadonlySet<OrderState> = new Set([
  'pending',
  'confirming',
  'needs_review',
  'paid_late',
]);

/** For an order that waits for payment: a link to pay. */
function PayLink({ order: { id } }: { readonly order: Order }) {
  return (
    <div className={styles['pay']}>
      <Link className="button" to={payHref(id)}>
        Pay for this order
        <HiddenOrderNumber orderId={id} />
      </Link>
    </div>
  );
}

/** The button that puts an order's lines into the cart again; none while the order may still be paid. */
function OrderAgain({ order }: { readonly order: Order }) {
  const navigate = useNavigate();
  if (order.state === 'pending' || order.state === 'confirming') return null;
  return (
    <div>
      <button
        type="button"
        className="quiet"
        onClick={() => void orderAgain(order, () => void navigate('/cart'))}
      >
        Order again
        <HiddenOrderNumber orderId={order.id} />
      </button>
    </div>
  );
}

/** Makes a button's name differ from those of other orders, for screen readers. */
function HiddenOrderNumber({ orderId }: { readonly orderId: string }) {
  return <span className="visually-hidden">{`: ${orderNumber(orderId)}`}</span>;
}
