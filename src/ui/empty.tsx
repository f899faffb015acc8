import type { ReactNode } from 'react';
import styles from './empty.module.css';
import { FALLBACK } from './picture-sources.ts';

/** A screen or list that has nothing to show: an empty hanger, a sentence, and a link that leads on. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <img src={FALLBACK} alt="" width={400} height={500} />
      {children}
    </div>
  );
}
