import type { ReactNode } from 'react';
import styles from './empty.module.css';
import { FALLBACK } from './picture-sources.ts';

/** A screen without what it is for: an empty hanger, a sentence, and the way on. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <img src={FALLBACK} alt="" width={400} height={500} />
      {children}
    </div>
  );
}
