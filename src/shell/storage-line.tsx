import { connection } from '../db/connection.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './storage-line.module.css';

/**
 * Says when this browser cannot store the shop, or can store all but the products. The live region is always in
 * the document: screen readers skip one that comes with its text.
 */
export function StorageLine() {
  const words = useStore({ subscribe: connection.subscribe, snapshot: wordsNow });
  return (
    <div className={styles['place']} role="status">
      {words !== null && <p className={styles['line']}>{`This browser is not keeping ${words}`}</p>}
    </div>
  );
}

function wordsNow(): string | null {
  if (connection.kept === 'memory') {
    return (
      'the shop on this device: its storage is blocked or broken. The shop works, but only in this tab ' +
      'and only until it is closed.'
    );
  }
  if (!connection.isFull) return null;
  return 'the products on this device: its storage is full. Your cart and favourites are kept.';
}
