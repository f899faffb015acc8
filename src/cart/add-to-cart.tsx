import { useEffect, useState } from 'react';
import styles from './add-to-cart.module.css';
import { addToCart } from './mutations.ts';

interface AddToCartProps {
  readonly productId: number;
  readonly productName: string;
}

/** How long the button says "Added" after the last tap. */
const ADDED_SHOWN_MS = 1600;

const WORDS = 'Add to Cart';

/** The button at the foot of a card. It says "Added" once this phone has stored the change. */
export function AddToCart({ productId, productName }: AddToCartProps) {
  /** How many pieces the shopper has added since the button last said "Add to Cart". */
  const [added, setAdded] = useState(0);

  useEffect(() => {
    if (added === 0) return undefined;
    const timer = setTimeout(() => setAdded(0), ADDED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [added]);

  async function add() {
    if (await addToCart(productId, productName)) setAdded((times) => times + 1);
  }

  const words = added === 0 ? WORDS : added === 1 ? 'Added' : `Added ${added}`;
  return (
    <button
      type="button"
      className={styles['add']}
      data-added={added > 0}
      // Begins with the visible words, which a user of voice control says.
      aria-label={`${words}: ${productName}`}
      onClick={() => void add()}
    >
      {words}
    </button>
  );
}

/** Resets a copy of the button's markup to what it said before the taps. */
export function resetAddButton(button: HTMLElement): void {
  button.dataset['added'] = 'false';
  button.ariaLabel = `${WORDS}:${button.ariaLabel?.replace(/^[^:]*:/, '')}`;
  button.textContent = WORDS;
}
