import { useEffect } from 'react';
import type { ImportRights } from '../remote/imports.ts';
import { CheckPanel } from './check-panel.tsx';
import { findingOf, isImporting } from './desk-state.ts';
import { DropZone } from './drop-zone.tsx';
import { LastImport } from './last-import.tsx';
import styles from './page.module.css';
import { type Importing, useDesk, useHistory } from './queries.ts';
import { ReadingPanel } from './reading-panel.tsx';
import { RefusedQuestion } from './refused-question.tsx';
import { Rules } from './rules.tsx';
import { SendingPanel } from './sending-panel.tsx';
import { UnfinishedImport } from './unfinished-import.tsx';

/** The import page for whoever may see it. */
export function ImportDesk({ importing }: { readonly importing: Importing }) {
  const { desk, history } = importing;
  const state = useDesk(importing);
  const { rights } = useHistory(importing);
  const isBusy = isImporting(state);
  const isForbidden = rights?.mayImport === false;

  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      void history.refresh();
      void desk.lookAround();
    };
    look();
    window.addEventListener('online', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [desk, history]);

  return (
    <>
      <p className={styles['access']}>{accessOf(rights)}</p>
      {!isBusy && <UnfinishedImport desk={desk} isElsewhere={state.isElsewhere} />}
      <div className={styles['desk']}>
        <div className={styles['work']}>
          <DropZone file={state.file} isDisabled={isBusy || isForbidden} onChoose={desk.choose} />
          {findingOf(state.check).kind !== 'none' && (
            <ReadingPanel desk={desk} state={state} isDisabled={isBusy} />
          )}
          {state.file && <CheckPanel desk={desk} check={state.check} />}
          <SendingPanel desk={desk} state={state} isForbidden={isForbidden} />
        </div>
        <aside className={styles['side']}>
          <Rules desk={desk} />
          <LastImport importing={importing} isDisabled={isBusy || isForbidden} />
        </aside>
      </div>
      <RefusedQuestion desk={desk} run={state.run} isStrict={state.isStrict} />
    </>
  );
}

function accessOf(rights: ImportRights | null): string {
  if (!rights) return 'Who may import is not known until the shop has been reached.';
  const { requiredRole, mayImport } = rights;
  if (requiredRole === null) return 'Any signed-in user may import.';
  const rule = `Only accounts with the role ${requiredRole} may import.`;
  return mayImport ? rule : `${rule} Yours does not have it.`;
}
