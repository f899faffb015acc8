import { shopperStore } from '../db/shopper-store.ts';
import { nameOf } from '../domain/product.ts';
import { productPath } from '../domain/routes.ts';
import { Heart } from '../favourites/heart.tsx';
import { useFavourites } from '../favourites/queries.ts';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './gone-favourites.module.css';
import { useCatalogue } from './queries.ts';

/** The favourites that are not in the shop now, as this device last saw them. */
export function GoneFavourites() {
  const favourites = useFavourites();
  const catalogue = useCatalogue();
  const seen = useStore(shopperStore)?.seen ?? [];
  const gone = seen.filter(({ id }) => favourites.has(id) && !catalogue?.index.byId(id));
  if (gone.length === 0) return null;
  return (
    <section className={styles['gone']} aria-labelledby="gone">
      <h2 id="gone">No longer available</h2>
      <ul>
        {gone.map((product) => (
          <li key={product.id}>
            <Picture link={product.picture} alt="" sizes="7rem" isEager={false} />
            <Heart productId={product.id} productName={nameOf(product)} />
            <Link to={productPath(product.skc)} dir="auto">
              {nameOf(product)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
