import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { accountHref } from '../account/next.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ImportSessionPanels } from './session-panels.tsx';
import styles from './page.module.css';
import { useShopper } from '../account/queries.ts';
import { tabImportOf } from './queries.ts';

/** `/admin/import`. */
export function ImportPage({ tokens }: { readonly tokens: TokenSource }) {
  const shopper = useShopper();
  // The session is checked on load only. If it ends later, the import itself reports that.
  const [admittedUid, setAdmittedUid] = useState<string | null>(null);
  if (shopper?.session === 'live' && shopper.uid !== admittedUid) setAdmittedUid(shopper.uid);
  return (
    <div className={styles['page']}>
      <PageTitle>Product Data Import</PageTitle>
      {shopper === undefined && <Arriving />}
      {shopper && shopper.uid === admittedUid && (
        <ImportSessionPanels key={admittedUid} tabImport={tabImportOf(admittedUid, tokens)} />
      )}
      {shopper !== undefined && shopper?.uid !== admittedUid && <AccessDenied />}
    </div>
  );
}

/** Long enough to read the message. */
const REDIRECT_MS = 2000;

function AccessDenied() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => {
      void navigate(accountHref('/login', pathname + search), { replace: true });
    }, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate, pathname, search]);
  return (
    <p className={styles['denied']} role="alert">
      Access Denied. Redirecting to login...
    </p>
  );
}
