import { Link, NavLink } from 'react-router-dom';
import { SearchField } from '../catalogue/search-field.tsx';
import styles from './header.module.css';

export function Header() {
  return (
    <header className={styles['header']}>
      <Link className={styles['wordmark']} to="/">
        {import.meta.env.VITE_STORE_NAME}
      </Link>
      <div className={styles['search']}>
        <SearchField id="header-search" />
      </div>
      <nav className={styles['nav']} aria-label="Your shop">
        <NavLink to="/cart">Cart</NavLink>
        <NavLink to="/login">Login</NavLink>
        <NavLink to="/register">Sign Up</NavLink>
      </nav>
    </header>
  );
}
