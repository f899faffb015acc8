import type { CartItem, CartView } from '../domain/cart.ts';
import { formatPrice, formatTotal, type Minor } from '../domain/money.ts';
import { namesAmong } from '../domain/product.ts';
import { productHref } from '../domain/routes.ts';
import { Link } from '../ui/link.tsx';
import label from '../ui/label.module.css';
import { Picture } from '../ui/picture.tsx';
import styles from './lines.module.css';

/** A line of an order, before or after the shopper has placed it. */
interface ShownLine {
  readonly productId: number;
  /** Stock code. */
  readonly skc: string;
  readonly title: string;
  readonly material: string | null;
  readonly size: string;
  readonly picture: string | null;
  /** The price of one piece; null where there is none. */
  readonly unitMinor: Minor | null;
  readonly quantity: number;
}

interface LinesProps {
  readonly lines: readonly ShownLine[];
  readonly total: Minor;
  /** Whether titles are links to the products; not where the shopper is about to pay. */
  readonly isLinked?: boolean;
}

export function Lines({ lines, total, isLinked = false }: LinesProps) {
  const nameOf = namesAmong(lines);
  return (
    <>
      <ul className={styles['lines']}>
        {lines.map((line) => (
          <Line key={line.productId} line={line} name={isLinked ? nameOf(line) : null} />
        ))}
      </ul>
      <p className={styles['total']}>
        Total <strong>{formatTotal(total)}</strong>
      </p>
    </>
  );
}

interface LineProps {
  readonly line: ShownLine;
  /** The name of the link to the product; null for no link. */
  readonly name: string | null;
}

function Line({ line, name }: LineProps) {
  const { title, material, size, picture, unitMinor, quantity } = line;
  return (
    <li className={styles['line']}>
      <div className={styles['picture']}>
        <Picture link={picture} alt="" sizes="4rem" isEager={false} />
      </div>
      <p className={styles['title']}>
        {name === null ? (
          <bdi>{title}</bdi>
        ) : (
          <Link to={productHref(line)} aria-label={`View ${name}`} dir="auto">
            {title}
          </Link>
        )}
        {size !== '' && (
          <span className={styles['size']}>
            <span className="visually-hidden">Size </span>
            <bdi>{size}</bdi>
          </span>
        )}
      </p>
      {material !== null && (
        <p className={styles['material']} dir="auto">
          {material}
        </p>
      )}
      <p className={styles['quantity']}>{`${quantity} × ${formatPrice(unitMinor)}`}</p>
      <p className={styles['price']}>
        {formatPrice(unitMinor === null ? null : unitMinor * quantity)}
      </p>
    </li>
  );
}

/** What the shopper is about to pay. */
export function OrderSummary(props: Pick<LinesProps, 'lines' | 'total'>) {
  return (
    <section className={label['label']} aria-labelledby="summary">
      <h2 id="summary">Order summary</h2>
      <Lines {...props} />
    </section>
  );
}

/** The lines of the cart as lines of an order. */
export function linesOfCart({ items }: CartView): ShownLine[] {
  return items.map(lineOf);
}

function lineOf({ line: { productId, quantity }, product, status }: CartItem): ShownLine {
  const {
    skc = String(productId),
    title = 'This product',
    size = '',
    material = null,
    picture = null,
    price = null,
  } = product ?? {};
  const unitMinor = status.kind === 'gone' ? null : price;
  return { productId, skc, title, material, size, picture, unitMinor, quantity };
}
