import type { Ref } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Product } from '../domain/product.ts';
import { productHref } from '../domain/routes.ts';
import type { ShopNote } from '../domain/shop-note.ts';
import styles from './sizes.module.css';

interface SizesProps {
  readonly sizes: readonly Product[];
  /** Null until the shopper has chosen. */
  readonly chosen: Product | null;
  readonly ref: Ref<HTMLFieldSetElement>;
}

/** The sizes of a garment to choose from; nothing for a garment without sizes. */
export function Sizes({ sizes, chosen, ref }: SizesProps) {
  const navigate = useNavigate();
  if (sizes.length === 1 && chosen?.size === '') return null;
  return (
    <fieldset ref={ref} className={styles['sizes']}>
      <legend>Size</legend>
      {sizes.map((product) => (
        <label key={product.id} className="thread">
          <input
            type="radio"
            name="size"
            checked={product.id === chosen?.id}
            onChange={() => void navigate(productHref(product), { replace: true })}
          />
          <bdi>{product.size === '' ? 'One size' : product.size}</bdi>
        </label>
      ))}
      {GUIDE && <SizeGuide guide={GUIDE} />}
    </fieldset>
  );
}

const GUIDE = import.meta.env.VITE_SHOP_SIZE_GUIDE;

function SizeGuide({ guide }: { readonly guide: ShopNote }) {
  if ('href' in guide) return <a href={guide.href}>Size guide</a>;
  return (
    <details>
      <summary>Size guide</summary>
      <p>{guide.text}</p>
    </details>
  );
}
