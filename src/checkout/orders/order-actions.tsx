import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Order } from '../../domain/order.ts';
import { orderNumber } from '../../domain/order-number.ts';
import { payHref } from '../../domain/routes.ts';
import type { TokenSource } from '../../remote/auth/token-source.ts';
import { focusHeading } from '../../ui/page-title.tsx';
import { cancelOrder, orderAgain } from '../mutations.ts';
import { useCheckoutRemote } from '../queries.ts';
import styles from './order-row.module.css';

interface PayOrCancelProps {
  readonly order: Order;
  readonly uid: string;
  readonly tokens: TokenSource;
}

/** For an order that waits for payment: a link to pay, and a button that cancels the order. */
export function PayOrCancel({ order: { id }, uid, tokens }: PayOrCancelProps) {
  const remote = useCheckoutRemote(tokens, uid);
  const [isBusy, setIsBusy] = useState(false);

  async function cancel(): Promise<void> {
    setIsBusy(true);
    const isClosed = await cancelOrder(remote, uid, id);
    setIsBusy(false);
    // The button that has the focus disappears.
    if (isClosed) focusHeading();
  }

  return (
    <div className={styles['actions']}>
      <Link className="button" to={payHref(id)}>
        Pay this order
        <HiddenOrderNumber orderId={id} />
      </Link>
      <button
        type="button"
        className="quiet"
        aria-disabled={isBusy}
        onClick={() => isBusy || void cancel()}
      >
        <span>{isBusy ? 'Cancelling…' : 'Cancel this order'}</span>
        <HiddenOrderNumber orderId={id} />
      </button>
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
