import styles from './page-title.module.css';

/** The screen's heading, and the name of its tab. */
export function PageTitle({ children }: { readonly children: string }) {
  return (
    <>
      <title>{`${children} · ${import.meta.env.VITE_STORE_NAME}`}</title>
      <h1 className={styles['title']}>{children}</h1>
    </>
  );
}
