import type { Order } from '../domain/order.ts';
import { orderNumber } from '../domain/order-number.ts';
import label from '../ui/label.module.css';
import { Lines } from './lines.tsx';
import { DATETIME } from './orders/dates.ts';
import { OrderAddress } from './orders/order-address.tsx';
import styles from './receipt.module.css';

/** What was bought, drawn like the label in a garment: order number, lines, total and address. */
export function Receipt({ order }: { readonly order: Order }) {
  const { id, createdAt, lines, totalMinor } = order;
  return (
    <section className={label['label']} aria-label="Receipt">
      <div className={styles['head']}>
        <p className={styles['number']}>
          <span>Order number</span> <strong>{orderNumber(id)}</strong>
        </p>
        <time dateTime={createdAt}>{DATETIME.format(new Date(createdAt))}</time>
      </div>
      <Lines lines={lines} total={totalMinor} isLinked />
      <OrderAddress order={order} />
    </section>
  );
}
