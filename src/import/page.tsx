import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { Arriving } from '../ui/arriving.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { ImportSessionPanels } from './session-panels.tsx';
import styles from './page.module.css';
import { useShopper } from '../account/queries.ts';
import { importingOf } from './queries.ts';

/** `/admin/import`. */
export function ImportPage({ tokens }: { readonly tokens: TokenSource }) {
  const shopper = useShopper();
  // Spec, section 6: checked on load. If the session ends later, the import itself reports that.
  const [admitted, setAdmitted] = useState<string | null>(null);
  if (shopper?.session === 'live' && shopper.uid !== admitted) setAdmitted(shopper.uid);
  return (
    <div className={styles['page']}>
      <PageTitle>Product Data Import</PageTitle>
      {shopper === undefined && <Arriving />}
      {shopper && shopper.uid === admitted && (
        <ImportSessionPanels key={admitted} importing={importingOf(admitted, tokens)} />
      )}
      {shopper !== undefined && shopper?.uid !== admitted && <AccessDenied />}
    </div>
  );
}

/** Spec, sections 6 and 9. */
const REDIRECT_MS = 2000;

function AccessDenied() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => {
      void navigate('/login?next=%2Fadmin%2Fimport', { replace: true });
    }, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <p className={styles['denied']} role="alert">
      Access Denied. Redirecting to login...
    </p>
  );
}
