import add from '../cart/add-to-cart.module.css';
import picture from '../ui/picture.module.css';
import card from './card.module.css';
import styles from './skeleton.module.css';

/** The grid before its products: as many columns as it has, and cards as high as its own. */
export function Skeleton() {
  return (
    <div className={styles['skeleton']} data-skeleton aria-hidden="true">
      <div>
        {Array.from({ length: 10 }, (_, i) => (
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
