import type { ReactNode } from 'react';
import { Arriving } from '../ui/arriving.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import styles from './form.module.css';

/** The screens about signing in, and what stands at their tops. */
export const ACCOUNT_TITLES = {
  '/login': 'Sign In to Your Account',
  '/register': 'Create Your Account',
  '/forgot-password': 'Forgot Your Password?',
  '/reset-password': 'Choose a New Password',
} as const;

export type AccountPath = keyof typeof ACCOUNT_TITLES;

interface AccountPageProps {
  readonly path: AccountPath;
  /** Said above the form, such as what was wrong with a link. */
  readonly notice?: string | null;
  readonly children: ReactNode;
}

/** The frame of the screens about signing in. */
export function AccountPage({ path, notice = null, children }: AccountPageProps) {
  return (
    <div className={styles['page']}>
      <PageTitle>{ACCOUNT_TITLES[path]}</PageTitle>
      {notice !== null && (
        <p className={styles['notice']} role="status">
          {notice}
        </p>
      )}
      {children}
    </div>
  );
}

/** One of them before its form is here. */
export function AccountPageArriving({ path }: { readonly path: AccountPath }) {
  return (
    <AccountPage path={path}>
      <Arriving />
    </AccountPage>
  );
}
