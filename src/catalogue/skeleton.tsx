import add from '../cart/add-to-cart.module.css';
import picture from '../ui/picture.module.css';
import card from './card.module.css';
import styles from './skeleton.module.css';

/** Two rows on the widest screens. */
const CARDS = 10;

/**
 * Stands for the grid until its products are read, with the columns of the grid and cards of the same height. The first
 * paint finds it by `data-skeleton` and puts the first products in its place (`first-visit/first-paint.ts`).
 */
export function Skeleton() {
  return (
    <div className={styles['skeleton']} data-skeleton aria-hidden="true">
      <div>
        {Array.from({ length: CARDS }, (_, i) => (
          <div key={i} className={card['card']}>
            <div className={picture['picture']} />
            <h2 className={card['title']}>&nbsp;</h2>
            <p className={card['material']} />
            <p className={card['label']} />
            <div className={add['add']} />
          </div>
        ))}
      </div>
    </div>
  );
}
