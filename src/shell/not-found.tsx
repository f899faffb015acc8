import { Link } from '../ui/link.tsx';
import styles from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';

export function NotFound() {
  return (
    <div className={styles['page']}>
      <PageTitle>Page not found</PageTitle>
      <p>There is nothing at this address. It may have been mistyped, or the page has moved.</p>
      <Link to="/">Continue shopping</Link>
    </div>
  );
}
