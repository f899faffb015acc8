import { useEffect } from 'react';
import type { ImportOverview } from '../remote/imports.ts';
import { CheckPanel, Findings } from './check-panel.tsx';
import { ColumnsPanel } from './columns-panel.tsx';
import { DoubtsQuestion } from './doubts-question.tsx';
import { findingOf, isImporting } from './session-state.ts';
import { DropZone } from './drop-zone.tsx';
import { LastImport } from './last-import.tsx';
import styles from './page.module.css';
import { type TabImport, useImportSession, useHistory } from './queries.ts';
import { ReadingPanel } from './reading-panel.tsx';
import { PricesQuestion } from './prices-question.tsx';
import { ReadingRules } from './reading-rules.tsx';
import { ReceivedFile } from './received-file.tsx';
import { Rules } from './rules.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { UnfinishedImport } from './unfinished-import.tsx';

/** The import page for a signed-in user. */
export function ImportSessionPanels({ tabImport }: { readonly tabImport: TabImport }) {
  const { session, history } = tabImport;
  const state = useImportSession(tabImport);
  const { overview, fault } = useHistory(tabImport);
  const isBusy = isImporting(state);
  const isForbidden = fault !== null || overview?.mayImport === false;

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'hidden') return;
      void history.refresh();
      void session.refresh();
    };
    refresh();
    window.addEventListener('online', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      window.removeEventListener('online', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [session, history]);

  return (
    <>
      <p className={styles['access']}>{accessSentence(overview, fault)}</p>
      {!isBusy && <UnfinishedImport tabImport={tabImport} isElsewhere={state.isElsewhere} />}
      <div className={styles['desk']}>
        <div className={styles['work']}>
          {!isBusy && !isForbidden && <ReceivedFile onChoose={session.choose} />}
          <DropZone
            file={state.file}
            isDisabled={isBusy || isForbidden}
            onChoose={session.choose}
          />
          {state.file && (
            <CheckPanel session={session} check={state.check} laterMatch={state.laterMatch} />
          )}
          {findingOf(state.check).kind !== 'none' && (
            <>
              <ColumnsPanel session={session} state={state} isDisabled={isBusy} />
              <ReadingRules session={session} state={state} isDisabled={isBusy} />
              <Findings session={session} check={state.check} />
              <ReadingPanel session={session} state={state} isDisabled={isBusy} />
            </>
          )}
          <SendingPanel session={session} state={state} isForbidden={isForbidden} />
        </div>
        <aside className={styles['side']}>
          <Rules session={session} />
          <LastImport tabImport={tabImport} isDisabled={isBusy || isForbidden} />
        </aside>
      </div>
      <DoubtsQuestion session={session} run={state.run} isStrict={state.isStrict} />
      <PricesQuestion session={session} run={state.run} />
    </>
  );
}

function accessSentence(overview: ImportOverview | null, fault: string | null): string {
  if (fault !== null) return `Imports are not set up: ${fault}`;
  if (!overview) return 'Who may import is not known until the shop has been reached.';
  const { requiredRole, mayImport } = overview;
  if (requiredRole === null) return 'Any signed-in user may import.';
  const rule = `Only accounts with the role ${requiredRole} may import.`;
  return mayImport ? rule : `${rule} Yours does not have it.`;
}
