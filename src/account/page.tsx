import type { ReactNode } from 'react';
import { Arriving } from '../ui/arriving.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import styles from './form.module.css';

/** The headings of the screens about signing in. */
export const ACCOUNT_TITLES = {
  '/login': 'Sign In to Your Account',
  '/register': 'Create Your Account',
  '/forgot-password': 'Forgot Your Password?',
  '/reset-password': 'Choose a New Password',
} as const;

export type AccountPath = keyof typeof ACCOUNT_TITLES;

interface AccountPageProps {
  readonly path: AccountPath;
  /** A sentence above the form, such as why a link failed. */
  readonly notice?: string | null;
  readonly children: ReactNode;
}

/** The frame of the screens about signing in: a strip of denim, and the form beside or below it. */
export function AccountPage({ path, notice = null, children }: AccountPageProps) {
  return (
    <div className={styles['page']}>
      <div className={styles['column']}>
        <PageTitle>{ACCOUNT_TITLES[path]}</PageTitle>
        {notice !== null && (
          <p className={styles['notice']} role="status">
            {notice}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

/** A screen about signing in before the tab has loaded its form. */
export function AccountPageArriving({ path }: { readonly path: AccountPath }) {
  return (
    <AccountPage path={path}>
      <Arriving />
    </AccountPage>
  );
}
