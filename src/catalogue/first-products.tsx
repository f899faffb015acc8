import { nameOf } from '../domain/product.ts';
import { Card } from './card.tsx';
import styles from './grid.module.css';
import { PLACEHOLDER } from './stamp.ts';

/** The grid with one placeholder card, from which `stamp.ts` makes the first products without React. */
export function FirstProducts() {
  return (
    <div role="list" className={styles['grid']}>
      <div className={styles['row']} data-row="0">
        <div role="listitem">
          <Card product={PLACEHOLDER} name={nameOf(PLACEHOLDER)} isEager={false} />
        </div>
      </div>
    </div>
  );
}
