import { catalogueStore } from '../db/catalogue-store.ts';
import type { ShopperView } from '../db/shopper-store.ts';
import type { Change } from '../domain/change.ts';
import { nameOf } from '../domain/product.ts';
import { focusNeighbour } from './focus-neighbour.ts';
import { useStore } from '../ui/use-store.ts';
import { dismissRejected } from './mutations.ts';
import styles from './rejected-changes.module.css';

/** Lists the changes that the server rejected, and why, until the shopper dismisses them. */
export function RejectedChanges({ view: { rejected, seen } }: { readonly view: ShopperView }) {
  const catalogue = useStore(catalogueStore);
  if (rejected.length === 0) return null;
  const productNameOf = ({ args }: Change) => {
    if (!('productId' in args)) return 'a product';
    const id = args.productId;
    const product = catalogue?.index.byId(id) ?? seen.find((other) => other.id === id);
    return product ? nameOf(product) : 'a product';
  };
  return (
    <section className={styles['rejected']} aria-label="Not saved">
      <h2>Not saved</h2>
      <ul>
        {rejected.map((row) => {
          const sentence = sentenceOf(row.change, productNameOf(row.change));
          return (
            <li key={row.id}>
              <p>{`${sentence} ${row.message}`}</p>
              <button
                type="button"
                aria-label={`Dismiss: ${sentence}`}
                onClick={({ currentTarget }) => {
                  focusNeighbour(currentTarget, 'button');
                  void dismissRejected(row.id);
                }}
              >
                Dismiss
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function sentenceOf(change: Change, name: string): string {
  switch (change.kind) {
    case 'cart.add':
      return `We couldn’t add ${name} to your cart.`;
    case 'cart.reduce':
    case 'cart.set':
      return `We couldn’t change the quantity of ${name}.`;
    case 'cart.remove':
      return `We couldn’t remove ${name} from your cart.`;
    case 'cart.clear':
      return 'We couldn’t clear your cart.';
    case 'favourite.add':
      return `We couldn’t add ${name} to your favourites.`;
    case 'favourite.remove':
      return `We couldn’t remove ${name} from your favourites.`;
  }
}
