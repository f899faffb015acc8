import { lazy, Suspense } from 'react';
import { AccountMenu } from '../account/menu.tsx';
import { useCartCount } from '../cart/queries.ts';
import { SearchField } from '../catalogue/search-field.tsx';
import { connection } from '../db/connection.ts';
import styles from './header.module.css';
import { Link, NavLink } from '../ui/link.tsx';

export function Header() {
  return (
    <header className={styles['header']}>
      <Link className={styles['wordmark']} to="/">
        {import.meta.env.VITE_STORE_NAME}
      </Link>
      <div className={styles['search']}>
        <SearchField id="header-search" />
      </div>
      <nav className={styles['nav']} aria-label="Cart and account">
        <CartLink />
        <AccountMenu />
      </nav>
      <LaterOfflineLine />
    </header>
  );
}

const OfflineLine = lazy(async () => {
  await connection.opened();
  try {
    return { default: (await import('./offline-line.tsx')).OfflineLine };
  } catch {
    // On a first visit that lost the network, the shop works without this line.
    return { default: () => null };
  }
});

/** The line about being offline, loaded after the first screen and the database. */
function LaterOfflineLine() {
  return (
    <Suspense>
      <OfflineLine />
    </Suspense>
  );
}

/** The link to the cart, with the number of pieces in it. */
function CartLink() {
  const count = useCartCount();
  return (
    <NavLink className="thread" to="/cart">
      Cart
      {count > 0 && (
        <>
          <span className="visually-hidden">, </span>
          <span className={styles['count']}>{count}</span>
        </>
      )}
    </NavLink>
  );
}
