import styles from './page.module.css';

/** Where nothing that is paid is real money. */
export function TestBand() {
  return <p className={styles['band']}>Test payments: no money moves</p>;
}
