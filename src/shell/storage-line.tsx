import { connection } from '../db/connection.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './storage-line.module.css';

/** Says so when this browser keeps nothing. */
export function StorageLine() {
  const kept = useStore(connection.subscribe, () => connection.kept);
  if (kept !== 'memory') return null;
  return (
    <p className={styles['line']} role="status">
      This browser is not keeping the shop on this device: its storage is blocked or full. The shop
      works, but only in this tab and only until it is closed.
    </p>
  );
}
