import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type Order, wasNeverPaid } from '../../domain/order.ts';
import type { TokenSource } from '../../remote/auth/token-source.ts';
import { focusHeading } from '../../ui/page-title.tsx';
import { payHref } from '../go.ts';
import { cancelOrder, orderAgain } from '../mutations.ts';
import { useCheckoutRemote } from '../queries.ts';
import styles from './order-card.module.css';

interface OrderActionsProps {
  readonly order: Order;
  readonly uid: string;
  readonly tokens: TokenSource;
}

/** What the shopper can do about an order: pay it or cancel it, or order the same once more. */
export function OrderActions({ order, uid, tokens }: OrderActionsProps) {
  if (order.state === 'pending') return <Waiting order={order} uid={uid} tokens={tokens} />;
  return wasNeverPaid(order) ? <Closed order={order} /> : null;
}

function Waiting({ order: { id }, uid, tokens }: OrderActionsProps) {
  const remote = useCheckoutRemote(tokens, uid);
  const [isBusy, setIsBusy] = useState(false);

  async function cancel(): Promise<void> {
    setIsBusy(true);
    const isClosed = await cancelOrder(remote, uid, id);
    setIsBusy(false);
    // The button goes, and would take the focus with it.
    if (isClosed) focusHeading();
  }

  return (
    <div className={styles['actions']}>
      <Link className="button" to={payHref(id)}>
        Pay this order
      </Link>
      <button type="button" aria-disabled={isBusy} onClick={() => isBusy || void cancel()}>
        {isBusy ? 'Cancelling…' : 'Cancel this order'}
      </button>
    </div>
  );
}

function Closed({ order }: Pick<OrderActionsProps, 'order'>) {
  const navigate = useNavigate();
  return (
    <div className={styles['actions']}>
      <button type="button" onClick={() => void orderAgain(order, () => void navigate('/cart'))}>
        Order again
      </button>
    </div>
  );
}
