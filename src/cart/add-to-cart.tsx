import { notify } from '../ui/notices.ts';
import styles from './add-to-cart.module.css';

/** The button at the foot of a card. */
export function AddToCart({ productName }: { readonly productName: string }) {
  return (
    <button
      type="button"
      className={styles['add']}
      aria-label={`Add to Cart: ${productName}`}
      onClick={() => notify('alert', 'Please log in to add items to your cart.')}
    >
      Add to Cart
    </button>
  );
}
