import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** A screen or list that has nothing to show: an empty hanger, a sentence, and a link that leads on. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <Hanger />
      {children}
    </div>
  );
}

/** A drawing of an empty hanger. */
export function Hanger() {
  return (
    <svg className={styles['hanger']} viewBox="70 158 260 152" aria-hidden="true">
      <path d="M200 214C200 204 214 202 218 190C222 176 212 164 198 166C188 168 182 176 183 186M200 214C190 224 120 262 84 284C70 294 76 308 92 308L308 308C324 308 330 294 316 284C280 262 210 224 200 214" />
    </svg>
  );
}
