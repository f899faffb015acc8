import { Link } from 'react-router-dom';
import { PageTitle } from '../ui/page-title.tsx';
import styles from './plain-page.module.css';

/** A screen whose place is kept: its real title and one plain sentence. */
export function Soon({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <div className={styles['page']}>
      <PageTitle>{title}</PageTitle>
      <p>{children}</p>
      <Link to="/">Continue shopping</Link>
    </div>
  );
}
