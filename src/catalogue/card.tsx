import { memo } from 'react';
import { AddToCart } from '../cart/add-to-cart.tsx';
import { formatPrice } from '../domain/money.ts';
import type { Product } from '../domain/product.ts';
import { productHref } from '../domain/routes.ts';
import { Heart } from '../favourites/heart.tsx';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './card.module.css';
import { CARD_SIZES } from './columns.ts';

interface CardProps {
  readonly product: Product;
  /** Distinguishes the product from the others on the screen. */
  readonly name: string;
  /** Whether the picture loads at once, not only when it comes near the viewport. */
  readonly isEager: boolean;
}

export const Card = memo(function Card({ product, name, isEager }: CardProps) {
  return (
    <article className={styles['card']} aria-label={name} data-product={product.id}>
      <div className={styles['frame']}>
        <Picture link={product.picture} alt={name} sizes={CARD_SIZES} isEager={isEager} />
        <Heart productId={product.id} productName={name} />
      </div>
      <h2 className={styles['title']}>
        {/* The link's box also covers the picture: a second link there would be a second tab stop. */}
        <Link to={productHref(product)} aria-label={`View ${name}`} dir="auto">
          {product.title}
        </Link>
      </h2>
      <p className={styles['material']} dir="auto">
        {product.material}
      </p>
      <p className={styles['label']}>
        {product.size !== '' && (
          <span className={styles['size']}>
            <span className="visually-hidden">Size </span>
            <bdi>{product.size}</bdi>
          </span>
        )}
        <span className={styles['price']}>{formatPrice(product.price)}</span>
      </p>
      <AddToCart productId={product.id} productName={name} />
    </article>
  );
});
