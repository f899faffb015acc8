import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { accountHref } from '../account/next.ts';
import { useShopper } from '../account/queries.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import type { ImportOverview } from '../remote/imports.ts';
import { Link } from '../ui/link.tsx';
import { Arriving } from '../ui/arriving.tsx';
import thread from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';
import { CheckPanel } from './check-panel.tsx';
import { ColumnsPanel } from './columns-panel.tsx';
import { isImporting } from './run-state.ts';
import { DropZone } from './drop-zone.tsx';
import { Findings } from './findings.tsx';
import { LastImport } from './last-import.tsx';
import styles from './page.module.css';
import { type TabImport, tabImportOf, useHistory, useImportRun } from './queries.ts';
import { ReadingPanel } from './reading-panel.tsx';
import { Questions } from './questions.tsx';
import { ImportRules } from './rules.tsx';
import { SendingPanel } from './sending-panel.tsx';

const TITLE = 'Product Data Import';

/** `/admin/import`. */
export function ImportPage({ tokens }: { readonly tokens: TokenSource }) {
  const shopper = useShopper();
  // A user's session is checked once. If it ends later, the import itself reports that.
  const [admittedUid, setAdmittedUid] = useState<string | null>(null);
  if (shopper?.session === 'live' && shopper.uid !== admittedUid) setAdmittedUid(shopper.uid);
  const isAdmitted = shopper?.uid === admittedUid;
  if (shopper !== undefined && !isAdmitted) return <AccessDenied />;
  return (
    <div className={styles['page']}>
      <PageTitle>{TITLE}</PageTitle>
      {shopper ? (
        <RunPanels key={shopper.uid} tabImport={tabImportOf(shopper.uid, tokens)} />
      ) : (
        <Arriving />
      )}
    </div>
  );
}

/** How often the page asks a shop that it has not reached yet. */
const ASK_AGAIN_MS = 5000;

/** The page for a signed-in user. */
function RunPanels({ tabImport }: { readonly tabImport: TabImport }) {
  const { run, history } = tabImport;
  const state = useImportRun(tabImport);
  const { overview, fault } = useHistory(tabImport);
  const { step, finding } = state;
  const reading = step.kind === 'reading' ? step : null;
  const isBusy = isImporting(state);
  const isForbidden = fault !== null || overview?.mayImport === false;

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'hidden') return;
      void history.refresh();
    };
    refresh();
    window.addEventListener('online', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      window.removeEventListener('online', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [history]);

  // The browser says nothing when a shop that was down is there again.
  const isUnknown = overview === null && fault === null;
  useEffect(() => {
    if (!isUnknown) return;
    const timer = setInterval(() => void history.refresh(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isUnknown, history]);

  return (
    <>
      <p className={styles['access']}>{accessSentence(overview, fault)}</p>
      <div className={styles['parts']}>
        <div className={styles['work']}>
          <DropZone file={state.file} isDisabled={isBusy || isForbidden} onChoose={run.choose} />
          {state.file && <CheckPanel run={run} reading={reading} finding={finding} />}
          {finding.kind !== 'none' && (
            <>
              <ColumnsPanel run={run} state={state} isDisabled={isBusy} />
              {finding.kind === 'checked' && !reading && (
                <Findings run={run} check={finding.check} />
              )}
              <ReadingPanel run={run} state={state} isDisabled={isBusy} />
            </>
          )}
          <SendingPanel run={run} state={state} isForbidden={isForbidden} />
        </div>
        <aside className={styles['side']}>
          <ImportRules run={run} />
          <LastImport tabImport={tabImport} isDisabled={isBusy || isForbidden} />
        </aside>
      </div>
      <Questions run={run} state={state} />
    </>
  );
}

function accessSentence(overview: ImportOverview | null, fault: string | null): string {
  if (fault !== null) return `Imports aren’t set up: ${fault}`;
  if (!overview) return 'Connect to the internet to check whether you can import.';
  const { requiredRole, mayImport } = overview;
  if (requiredRole === null) return 'Any signed-in user can import.';
  const rule = `Only accounts with the role ${requiredRole} can import.`;
  return mayImport ? rule : `${rule} Yours doesn’t have it.`;
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
