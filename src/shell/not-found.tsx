import { Link } from '../ui/link.tsx';
import styles from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';

export function NotFound() {
  return (
    <div className={styles['page']}>
      <PageTitle>Page not found</PageTitle>
      <p>There’s nothing at this address. Check it for typos, or go back to the shop.</p>
      <Link to="/">Continue shopping</Link>
    </div>
  );
}
