import { useMemo } from 'react';
import type { CatalogueIndex } from '../domain/catalogue-index.ts';
import { namesAmong } from '../domain/product.ts';
import { priceWords, type ProductPage } from '../domain/product-page.ts';
import { productPath } from '../domain/routes.ts';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './goes-with-it.module.css';
import { goesWith } from './goes-with.ts';

interface GoesWithItProps {
  readonly index: CatalogueIndex;
  readonly page: ProductPage;
}

/** A row of products that go with the product of the page. */
export function GoesWithIt({ index, page }: GoesWithItProps) {
  const others = useMemo(() => goesWith(index, page), [index, page]);
  if (others.length === 0) return null;
  // Without a size, because each of these products stands for all of its sizes.
  const listed = others.map((other) => ({ ...other, size: '' }));
  const nameOf = namesAmong(listed);
  return (
    <section className={styles['others']} aria-labelledby="goes-with-it">
      <h2 id="goes-with-it">Goes with it</h2>
      <ul>
        {listed.map((other) => (
          <li key={other.skc}>
            <Picture
              link={other.sizes[0].picture}
              alt={nameOf(other)}
              sizes={PICTURE_SIZES}
              isEager={false}
            />
            <h3>
              <Link to={productPath(other.skc)} aria-label={`Look at ${nameOf(other)}`} dir="auto">
                {other.title}
              </Link>
            </h3>
            <p className={styles['material']} dir="auto">
              {other.material}
            </p>
            <p className={styles['price']}>{priceWords(other, null)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const PICTURE_SIZES = '(width >= 48rem) 25vw, 50vw';
