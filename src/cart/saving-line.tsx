import type { ShopperView } from '../db/shopper-store.ts';
import styles from './saving-line.module.css';
import { Link } from '../ui/link.tsx';

/** Says in one line whether the server has the shopper's changes. */
export function SavingLine({ view }: { readonly view: ShopperView }) {
  const { saving, unsaved, shopper } = view;
  return (
    <p className={styles['line']} data-waits={saving !== 'saved'} role="status">
      {saving === 'sign-in' || shopper.session === 'ended' ? (
        <span>
          Your session has ended. <Link to="/login?next=%2Fcart">Log in to save your changes</Link>
          {unsaved > 0 && <span>{` (${unsaved})`}</span>}
        </span>
      ) : (
        savingWords(view)
      )}
    </p>
  );
}

/** Does not call an empty cart "Saved": this device may not have read the cart from the server yet. */
function savingWords({ saving, unsaved, shopper, data }: ShopperView): string {
  if (saving === 'saving') return 'Saving…';
  if (saving === 'offline') return `Will be saved when you’re back online (${unsaved})`;
  if (saving === 'failed') return `Not saved yet, trying again (${unsaved})`;
  return shopper.session === 'live' && data.cart.length > 0 ? 'Saved' : '';
}
