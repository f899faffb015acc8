import { formatPrice, type Minor } from '../domain/money.ts';
import { Picture } from '../ui/picture.tsx';
import styles from './lines.module.css';

/** A line of an order, before or after the shopper has placed it. */
export interface ShownLine {
  readonly productId: number;
  readonly title: string;
  readonly size: string;
  readonly picture: string | null;
  /** The price of one piece; null where there is none. */
  readonly unitMinor: Minor | null;
  readonly quantity: number;
}

interface LinesProps {
  readonly lines: readonly ShownLine[];
  readonly total: Minor;
}

export function Lines({ lines, total }: LinesProps) {
  return (
    <>
      <ul className={styles['lines']}>
        {lines.map((line) => (
          <Line key={line.productId} line={line} />
        ))}
      </ul>
      <p className={styles['total']}>
        Total <strong>{formatPrice(total)}</strong>
      </p>
    </>
  );
}

function Line({ line }: { readonly line: ShownLine }) {
  const { title, size, picture, unitMinor, quantity } = line;
  return (
    <li className={styles['line']}>
      <div className={styles['picture']}>
        <Picture link={picture} alt="" sizes="4rem" isEager={false} />
      </div>
      <p className={styles['title']}>
        {title}
        {size !== '' && (
          <span className={styles['size']}>
            <span className="visually-hidden">Size </span>
            {size}
          </span>
        )}
      </p>
      <p className={styles['quantity']}>
        {quantity} × {formatPrice(unitMinor)}
      </p>
      <p className={styles['price']}>
        {formatPrice(unitMinor === null ? null : unitMinor * quantity)}
      </p>
    </li>
  );
}
