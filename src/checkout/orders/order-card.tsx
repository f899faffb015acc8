import { COUNTRY_RULES } from '../../domain/address.ts';
import { type Order, type OrderState, wordsOf } from '../../domain/order.ts';
import { Lines } from '../lines.tsx';
import styles from './order-card.module.css';

/** The date by which the shopper recognises an order. */
export const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

/** One order: its lines, its state and its address. */
export function OrderCard({ order }: { readonly order: Order }) {
  const { id, state, totalMinor, address, createdAt, lines } = order;
  const { full_name, address_line1, city, state: region, postal_code, country } = address;
  const date = DATE.format(new Date(createdAt));
  return (
    <li className={styles['order']} aria-label={`Order of ${date}`}>
      <div className={styles['head']}>
        <h2>
          <time dateTime={createdAt}>{date}</time>
        </h2>
        <p className={styles['state']} data-open={OPEN.has(state)}>
          {wordsOf(state)}
        </p>
      </div>
      <p className={styles['id']}>
        <span className="visually-hidden">Order number </span>
        {id}
      </p>
      <Lines lines={lines} total={totalMinor} />
      <address className={styles['address']}>
        <span>{full_name}</span>
        <span>{address_line1}</span>
        <span>
          {city}, {region} {postal_code}
        </span>
        <span>{COUNTRY_RULES[country].name}</span>
      </address>
    </li>
  );
}

/** States that will still change. */
const OPEN: ReadonlySet<OrderState> = new Set([
  'pending',
  'confirming',
  'needs_review',
  'paid_late',
]);
