import { useEffect, useState } from 'react';
import styles from './add-to-cart.module.css';
import { addToCart } from './mutations.ts';

interface AddToCartProps {
  readonly productId: number;
  readonly productName: string;
}

/** How long the button says "Added" after the last tap. */
const ADDED_SHOWN_MS = 1600;

const ADD_WORDS = 'Add to Cart';

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
    if (await addToCart(productId, productName)) setAdded((count) => count + 1);
  }

  const words = added === 0 ? ADD_WORDS : addedWords(added);
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

function addedWords(count: number): string {
  return count === 1 ? 'Added' : `Added ${count}`;
}

/** Resets a button in the first screen that is kept for the next start: nothing has been added yet there. */
export function resetAddButton(button: HTMLElement): void {
  const productName = button.ariaLabel?.replace(/^[^:]*: /, '') ?? '';
  button.dataset['added'] = 'false';
  button.ariaLabel = `${ADD_WORDS}: ${productName}`;
  button.textContent = ADD_WORDS;
}
