import { COUNTRY_RULES } from '../../domain/address.ts';
import { moneyBackWords } from '../../domain/money-back.ts';
import { type Order, type OrderState, wordsOf } from '../../domain/order.ts';
import type { TokenSource } from '../../remote/auth/token-source.ts';
import { Lines } from '../lines.tsx';
import { OrderActions } from './order-actions.tsx';
import styles from './order-card.module.css';

/** The date by which the shopper recognises an order. */
export const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

interface OrderCardProps {
  readonly order: Order;
  readonly uid: string;
  readonly tokens: TokenSource;
}

/** One order: its lines, its state and its address. */
export function OrderCard({ order, uid, tokens }: OrderCardProps) {
  const { id, state, totalMinor, createdAt, lines } = order;
  const date = DATE.format(new Date(createdAt));
  return (
    <li className={styles['order']} aria-label={`Order of ${date}`}>
      <div className={styles['head']}>
        <h2>
          <time dateTime={createdAt}>{date}</time>
        </h2>
        <div className={styles['state']} data-open={OPEN.has(state) || order.dispute === 'open'}>
          {[wordsOf(state), ...moneyBackWords(order)].map((words) => (
            <p key={words}>{words}</p>
          ))}
        </div>
      </div>
      <p className={styles['id']}>
        <span className="visually-hidden">Order number </span>
        {id}
      </p>
      <Lines lines={lines} total={totalMinor} isLinked />
      <OrderAddress order={order} />
      <OrderActions order={order} uid={uid} tokens={tokens} />
    </li>
  );
}

/** Where it goes. */
export function OrderAddress({ order: { address } }: { readonly order: Order }) {
  const { full_name, address_line1, city, state: region, postal_code, country } = address;
  return (
    <address className={styles['address']}>
      <span>{full_name}</span>
      <span>{address_line1}</span>
      <span>
        {city}, {region} {postal_code}
      </span>
      <span>{COUNTRY_RULES[country].name}</span>
    </address>
  );
}

/** States that will still change. */
const OPEN: ReadonlySet<OrderState> = new Set([
  'pending',
  'confirming',
  'needs_review',
  'paid_late',
]);
