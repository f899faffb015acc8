import { Link } from 'react-router-dom';
import styles from './footer.module.css';

const THIS_YEAR = new Date().getFullYear();

export function Footer() {
  return (
    <footer className={styles['footer']}>
      <p>
        © {THIS_YEAR} {import.meta.env.VITE_STORE_NAME}
      </p>
      <Link to="/admin/import">Admin access</Link>
    </footer>
  );
}
