import styles from './page-title.module.css';

/** The screen's heading, and the name of its tab. */
export function PageTitle({ children }: { readonly children: string }) {
  return (
    <>
      <title>{`${children} · ${import.meta.env.VITE_STORE_NAME}`}</title>
      <h1 className={styles['title']} tabIndex={-1}>
        {children}
      </h1>
    </>
  );
}

/** Where the focus goes when what held it has left the page. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus();
}
