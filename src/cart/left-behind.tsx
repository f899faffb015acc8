import { useState } from 'react';
import { connection } from '../db/connection.ts';
import { leftBehindStore, removeLeftBehind } from '../db/left-behind.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { announceNotStored } from '../ui/not-stored.ts';
import { notify } from '../ui/notices.ts';
import { focusHeading } from '../ui/page-title.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './rejected-changes.module.css';

/** Lists changes that wait for a shopper to sign in, and lets the user remove them. */
export function LeftBehind() {
  const changes = useStore(leftBehindStore);
  if (!changes || changes.own.length + changes.others.length === 0) return null;
  return (
    <section className={styles['rejected']} aria-label="Waiting for a sign-in">
      <h2>Waiting for a sign-in</h2>
      <ul>
        {changes.own.length > 0 && (
          <Group ids={changes.own} owner="of yours" until="you sign in again" />
        )}
        {changes.others.length > 0 && (
          <Group
            ids={changes.others}
            owner="of an account that is not signed in"
            until="it signs in on this device"
          />
        )}
      </ul>
    </section>
  );
}

interface GroupProps {
  readonly ids: readonly string[];
  /** Two parts of the sentence: whose changes these are, and until when they wait. */
  readonly owner: string;
  readonly until: string;
}

function Group({ ids, owner, until }: GroupProps) {
  /** The ids that the dialog counts and removes, without later ones; null while the dialog is closed. */
  const [idsInDialog, setIdsInDialog] = useState<readonly string[] | null>(null);
  const count = changesWords((idsInDialog ?? ids).length);
  const isOne = idsInDialog?.length === 1;
  return (
    <li>
      <p>
        {`${changesWords(ids.length)} ${owner} ${ids.length === 1 ? 'waits' : 'wait'} until ${until}.`}
      </p>
      <button type="button" onClick={() => setIdsInDialog(ids)}>
        Remove
      </button>
      <ConfirmDialog
        isOpen={idsInDialog !== null}
        heading={`Remove ${count}?`}
        no="Keep"
        yes={`Remove ${count}`}
        onAnswer={(isYes) => {
          if (isYes && idsInDialog) void remove(idsInDialog);
          setIdsInDialog(null);
        }}
      >
        {isOne
          ? 'It is not saved anywhere else. Nobody can bring it back.'
          : 'They are not saved anywhere else. Nobody can bring them back.'}
      </ConfirmDialog>
    </li>
  );
}

async function remove(ids: readonly string[]): Promise<void> {
  focusHeading();
  try {
    await connection.storage.write((db) => removeLeftBehind(db, ids));
    notify('status', `${changesWords(ids.length)} removed.`);
  } catch (error) {
    void connection.recoverFrom(error);
    announceNotStored();
  }
}

function changesWords(count: number): string {
  return count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`;
}
