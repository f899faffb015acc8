import type { CartItem, CartView } from '../domain/cart.ts';
import type { Minor } from '../domain/money.ts';
import label from '../ui/label.module.css';
import { Lines, type ShownLine } from './lines.tsx';

interface OrderSummaryProps {
  readonly lines: readonly ShownLine[];
  readonly total: Minor;
}

/** What the shopper is about to pay. */
export function OrderSummary(props: OrderSummaryProps) {
  return (
    <section className={label['label']} aria-labelledby="summary">
      <h2 id="summary">Order summary</h2>
      <Lines {...props} />
    </section>
  );
}

/** The lines of the cart as those of the order that it becomes. */
export function linesOfCart({ items }: CartView): ShownLine[] {
  return items.map(lineOf);
}

function lineOf({ line: { productId, quantity }, product, status }: CartItem): ShownLine {
  const { skc = String(productId), title = 'This product', size = '' } = product ?? {};
  const { material = null, picture = null, price = null } = product ?? {};
  const unitMinor = status.kind === 'gone' ? null : price;
  return { productId, skc, title, material, size, picture, unitMinor, quantity };
}
