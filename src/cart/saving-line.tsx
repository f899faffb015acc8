import { Link } from 'react-router-dom';
import type { ShopperView } from '../db/shopper-store.ts';
import styles from './saving-line.module.css';

/**
 * Says in one line whether the server has the shopper's changes. It does not call an empty cart "Saved":
 * this device may not have read the cart from the server yet.
 */
export function SavingLine({ view }: { readonly view: ShopperView }) {
  const { saving, unsaved, shopper, data } = view;
  const isSaved = saving === 'saved' && shopper.session === 'live';
  return (
    <p className={styles['line']} data-waits={saving !== 'saved'} role="status">
      {isSaved && data.cart.length > 0 && 'Saved'}
      {saving === 'saving' && 'Saving…'}
      {saving === 'offline' && `Waiting for a connection (${unsaved})`}
      {saving === 'failed' && `The shop has not saved this yet. Trying again (${unsaved})`}
      {(saving === 'sign-in' || shopper.session === 'ended') && (
        <>
          Your session has ended. <Link to="/login?next=%2Fcart">Sign in to save</Link>
          {unsaved > 0 && ` (${unsaved})`}
        </>
      )}
    </p>
  );
}
