import styles from './footer.module.css';
import { FooterLinks } from './footer-links.tsx';
import { Link } from '../ui/link.tsx';

const LINKS = import.meta.env.VITE_FOOTER_LINKS;
const THIS_YEAR = new Date().getFullYear();

export function Footer() {
  return (
    <footer className={styles['footer']}>
      <p>{`© ${THIS_YEAR} ${import.meta.env.VITE_STORE_NAME}`}</p>
      {LINKS && <FooterLinks links={LINKS} />}
      <Link to="/admin/import">Admin access</Link>
    </footer>
  );
}
