import styles from './page.module.css';

/** Says that all payments here are test payments. */
export function TestBand() {
  return <p className={styles['band']}>Test payments only. You won’t be charged.</p>;
}
