import { NavLink } from 'react-router-dom';
import styles from './cart-link.module.css';
import { useCartCount } from './queries.ts';

/** The header's link to the cart, with the number of pieces in it. */
export function CartLink() {
  const count = useCartCount();
  return (
    <NavLink to="/cart">
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
