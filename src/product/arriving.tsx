import { PRODUCT_SIZES } from '../catalogue/columns.ts';
import { PageTitle } from '../ui/page-title.tsx';
import picture from '../ui/picture.module.css';
import styles from './page.module.css';

/**
 * A product's page before React runs. The build draws it, and the function behind `/product/*` replaces the
 * words in braces (netlify/lib/product-document.ts).
 */
export function ProductArriving() {
  return (
    <div className={styles['page']} data-arriving>
      <div className={styles['frame']}>
        <img
          className={picture['picture']}
          data-picture="{product picture}"
          sizes={PRODUCT_SIZES}
          alt=""
          width={400}
          height={500}
          fetchPriority="high"
        />
      </div>
      <div className={styles['about']}>
        <PageTitle>{'{product title}'}</PageTitle>
        <p className={styles['material']} dir="auto">
          {'{product material}'}
        </p>
      </div>
      <div className={styles['buy']}>
        <p className={styles['price']}>{'{product price}'}</p>
      </div>
    </div>
  );
}
