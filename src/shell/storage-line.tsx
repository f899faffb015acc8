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
      {words !== null && <p className={styles['line']}>{words}</p>}
    </div>
  );
}

function wordsNow(): string | null {
  if (connection.kept === 'memory') {
    return (
      'This browser can’t save anything because its storage is blocked or broken. ' +
      'You can use the shop until you close this tab.'
    );
  }
  if (!connection.isFull) return null;
  return 'This device’s storage is full, so we can’t save product data. Your cart and favourites are safe.';
}
