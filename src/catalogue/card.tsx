import { memo } from 'react';
import { AddToCart } from '../cart/add-to-cart.tsx';
import { formatPrice } from '../domain/money.ts';
import type { Product } from '../domain/product.ts';
import { Heart } from '../favourites/heart.tsx';
import { Picture } from '../ui/picture.tsx';
import styles from './card.module.css';

interface CardProps {
  readonly product: Product;
  readonly isEager: boolean;
}

export const Card = memo(function Card({ product, isEager }: CardProps) {
  const name = product.size === '' ? product.title : `${product.title}, size ${product.size}`;
  return (
    <article className={styles['card']} aria-label={name}>
      <div className={styles['frame']}>
        <Picture link={product.picture} alt="" isEager={isEager} />
        <Heart productId={product.id} productName={name} />
      </div>
      <h2 className={styles['title']}>{product.title}</h2>
      <p className={styles['label']}>
        {product.size !== '' && (
          <span className={styles['size']}>
            <span className="visually-hidden">Size </span>
            {product.size}
          </span>
        )}
        <span className={styles['price']}>{formatPrice(product.price)}</span>
      </p>
      <AddToCart productId={product.id} productName={name} />
    </article>
  );
});
