import { useShopperView } from '../../cart/queries.ts';
import { countOf } from '../../domain/count.ts';
import { type Order, wasNeverPaid } from '../../domain/order.ts';
import type { TokenSource } from '../../remote/auth/token-source.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { OrderRow } from './order-row.tsx';
import styles from '../page.module.css';
import { type RefreshState, useOrderRefresh, useOrders } from '../queries.ts';
import { TestBand } from '../test-band.tsx';

/** `/orders`. */
export function OrdersPage({ tokens }: { readonly tokens: TokenSource }) {
  const view = useShopperView();
  return (
    <div className={`${styles['page']} ${styles['list']}`}>
      <PageTitle>Your Orders</PageTitle>
      {view === null && (
        <Empty>
          <p>Log in to see your orders.</p>
          <Link className="button" to="/login?next=%2Forders">
            Log in
          </Link>
        </Empty>
      )}
      {view && <OwnOrders key={view.shopper.uid} uid={view.shopper.uid} tokens={tokens} />}
    </div>
  );
}

function OwnOrders({ uid, tokens }: { readonly uid: string; readonly tokens: TokenSource }) {
  const state = useOrderRefresh(uid, tokens);
  const orders = useOrders(uid);

  if (orders === undefined) return null;
  const words = refreshWords(state, orders !== null);
  return (
    <>
      <p role="status" className={styles['refresh']}>
        {state === 'sign-in' ? (
          <span>
            <span>{words}</span> <Link to="/login?next=%2Forders">Log in</Link>
          </span>
        ) : (
          words
        )}
      </p>
      {orders?.some(({ mode }) => mode === 'sandbox') && <TestBand />}
      {orders?.length === 0 && (
        <Empty>
          <p>You haven’t ordered anything yet.</p>
          <Link className="button" to="/">
            Continue shopping
          </Link>
        </Empty>
      )}
      {orders && (
        <>
          <List orders={orders.filter((order) => !wasNeverPaid(order))} />
          <Unpaid orders={orders.filter(wasNeverPaid)} />
        </>
      )}
    </>
  );
}

interface ListProps {
  readonly orders: readonly Order[];
}

function List({ orders }: ListProps) {
  if (orders.length === 0) return null;
  return (
    <ul className={styles['orders']}>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  );
}

/** Orders that were never paid. They are folded, so that they do not hide what was bought. */
function Unpaid(props: ListProps) {
  const count = props.orders.length;
  if (count === 0) return null;
  return (
    <details className={styles['unpaid']}>
      <summary>{countOf(count, 'unpaid order')}</summary>
      <List {...props} />
    </details>
  );
}

/** @param isStored whether this device has stored orders, which the page shows meanwhile */
function refreshWords(state: RefreshState, isStored: boolean): string {
  switch (state) {
    case 'fresh':
      return '';
    case null:
      return isStored ? '' : 'Loading your orders…';
    case 'sign-in':
      return isStored
        ? 'Your session has ended, so these orders may be out of date.'
        : 'Your session has ended.';
    case 'offline':
      return isStored
        ? 'You’re offline. Your latest orders may be missing.'
        : 'You’re offline. Your orders will appear when you’re back online.';
    case 'rejected':
      return isStored
        ? 'We couldn’t update your orders. We’ll keep trying.'
        : 'We couldn’t load your orders. We’ll keep trying.';
  }
}
