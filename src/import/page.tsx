import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { accountHref } from '../account/next.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import thread from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';
import { ImportSessionPanels } from './session-panels.tsx';
import styles from './page.module.css';
import { useShopper } from '../account/queries.ts';
import { tabImportOf } from './queries.ts';

const TITLE = 'Product Data Import';

/** `/admin/import`. */
export function ImportPage({ tokens }: { readonly tokens: TokenSource }) {
  const shopper = useShopper();
  // The session is checked on load only. If it ends later, the import itself reports that.
  const [admittedUid, setAdmittedUid] = useState<string | null>(null);
  if (shopper?.session === 'live' && shopper.uid !== admittedUid) setAdmittedUid(shopper.uid);
  if (shopper !== undefined && shopper?.uid !== admittedUid) return <AccessDenied />;
  return (
    <div className={styles['page']}>
      <PageTitle>{TITLE}</PageTitle>
      {shopper === undefined && <Arriving />}
      {shopper && shopper.uid === admittedUid && (
        <ImportSessionPanels key={admittedUid} tabImport={tabImportOf(admittedUid, tokens)} />
      )}
    </div>
  );
}

/** Long enough to read the message. */
const REDIRECT_MS = 2000;

function AccessDenied() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const login = accountHref('/login', pathname + search);
  useEffect(() => {
    const timer = setTimeout(() => void navigate(login, { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate, login]);
  return (
    <div className={thread['page']}>
      <PageTitle>{TITLE}</PageTitle>
      <p role="alert">Access Denied. Redirecting to login...</p>
      <Link to={login} replace>
        Log in now
      </Link>
    </div>
  );
}
