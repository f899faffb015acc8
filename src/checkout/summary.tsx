import type { CartItem, CartView } from '../domain/cart.ts';
import type { Minor } from '../domain/money.ts';
import { Lines, type ShownLine } from './lines.tsx';
import styles from './summary.module.css';

interface SummaryProps {
  readonly cart: CartView;
  readonly total: Minor;
}

/** What is about to be ordered. */
export function Summary({ cart, total }: SummaryProps) {
  return (
    <section className={styles['summary']} aria-labelledby="summary">
      <h2 id="summary">Order summary</h2>
      <Lines lines={cart.items.map(lineOf)} total={total} />
    </section>
  );
}

function lineOf({ line: { productId, quantity }, product }: CartItem): ShownLine {
  const {
    title = 'This product',
    size = '',
    picture = null,
    price: unitMinor = null,
  } = product ?? {};
  return { productId, title, size, picture, unitMinor, quantity };
}
