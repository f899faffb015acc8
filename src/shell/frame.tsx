import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import styles from './frame.module.css';
import { Header } from './header.tsx';
import { Notices } from './notices.tsx';
import { StorageLine } from './storage-line.tsx';

/** The frame around every screen: header, notices and footer. */
export function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <Header />
      <StorageLine />
      <main id="main" className={styles['main']} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Notices />
    </>
  );
}
