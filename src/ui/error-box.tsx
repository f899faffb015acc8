import type { ReactNode } from 'react';
import styles from './error-box.module.css';

interface ErrorBoxProps {
  readonly heading?: string;
  readonly children: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Says what went wrong, and what the user can do about it. */
export function ErrorBox({ heading = 'Error', children, action }: ErrorBoxProps) {
  return (
    <section className={styles['box']} role="alert">
      <h2>{heading}</h2>
      <p>{children}</p>
      {action && (
        <button type="button" className="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </section>
  );
}
