import { namesAmong } from '../domain/product.ts';
import { priceWords, type ProductPage } from '../domain/product-page.ts';
import { productPath } from '../domain/routes.ts';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './others.module.css';

interface OthersProps {
  readonly id: string;
  readonly heading: string;
  readonly pages: readonly ProductPage[];
}

/** A row of other products below a product, under a heading; nothing without any. */
export function Others({ id, heading, pages }: OthersProps) {
  if (pages.length === 0) return null;
  // Without a size, because each of these products stands for all of its sizes.
  const listed = pages.map((page) => ({ ...page, size: '' }));
  const nameOf = namesAmong(listed);
  return (
    <section className={styles['others']} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
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
              <Link to={productPath(other.skc)} aria-label={`View ${nameOf(other)}`} dir="auto">
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
