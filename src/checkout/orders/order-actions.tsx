import { useNavigate } from 'react-router-dom';
import type { Order } from '../../domain/order.ts';
import { orderNumber } from '../../domain/order-number.ts';
import { payHref } from '../../domain/routes.ts';
import { orderAgain } from '../mutations.ts';
import styles from './order-row.module.css';
import { Link } from '../../ui/link.tsx';

/** For an order that waits for payment: a link to pay. */
export function PayLink({ order: { id } }: { readonly order: Order }) {
  return (
    <div className={styles['actions']}>
      <Link className="button" to={payHref(id)}>
        Pay this order
        <HiddenOrderNumber orderId={id} />
      </Link>
    </div>
  );
}

/** The button that puts an order's lines into the cart again; none while the order may still be paid. */
export function OrderAgain({ order }: { readonly order: Order }) {
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
