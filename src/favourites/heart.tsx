import styles from './heart.module.css';
import { toggleFavourite } from './mutations.ts';
import { useIsFavourite } from './queries.ts';

interface HeartProps {
  readonly productId: number;
  readonly productName: string;
}

/** The favourite toggle in the corner of a picture. */
export function Heart({ productId, productName }: HeartProps) {
  const isFavourite = useIsFavourite(productId);
  return (
    <button
      type="button"
      className={styles['heart']}
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${productName}`}
      onClick={() => void toggleFavourite(productId, productName)}
    >
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M12 20.3 4.4 12.9a4.8 4.8 0 0 1 0-6.9 5 5 0 0 1 7 0l.6.6.6-.6a5 5 0 0 1 7 0 4.8 4.8 0 0 1 0 6.9Z" />
      </svg>
    </button>
  );
}
