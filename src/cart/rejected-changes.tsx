import { catalogueStore } from '../db/catalogue-store.ts';
import type { RejectedRow } from '../db/database.ts';
import type { Change } from '../domain/change.ts';
import { useStore } from '../ui/use-store.ts';
import { retryChange, dismissRejected } from './mutations.ts';
import styles from './rejected-changes.module.css';

/** Lists the changes that the server rejected, and why, until the shopper dismisses them. */
export function RejectedChanges({ rejected }: { readonly rejected: readonly RejectedRow[] }) {
  const catalogue = useStore(catalogueStore);
  if (rejected.length === 0) return null;
  return (
    <section className={styles['rejected']} aria-label="Not saved">
      <h2>Not saved</h2>
      <ul>
        {rejected.map((row) => (
          <li key={row.id}>
            <p>
              {sentenceOf(
                row.change,
                nameOf(row.change, (id) => catalogue?.index.byId(id)?.title),
              )}{' '}
              {row.message}
            </p>
            <button type="button" onClick={() => void retryChange(row.id)}>
              Try again
            </button>
            <button type="button" onClick={() => void dismissRejected(row.id)}>
              Dismiss
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf(change: Change, titleOf: (id: number) => string | undefined): string {
  return ('productId' in change.args && titleOf(change.args.productId)) || 'A product';
}

function sentenceOf(change: Change, name: string): string {
  switch (change.kind) {
    case 'cart.add':
      return `${name} was not added to your cart.`;
    case 'cart.reduce':
    case 'cart.set':
      return `The quantity of ${name} was not changed.`;
    case 'cart.remove':
      return `${name} was not removed from your cart.`;
    case 'cart.clear':
      return 'Your cart was not emptied.';
    case 'favourite.add':
      return `${name} was not added to your favourites.`;
    case 'favourite.remove':
      return `${name} was not removed from your favourites.`;
  }
}
