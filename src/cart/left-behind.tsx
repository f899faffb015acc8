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
    <section className={styles['rejected']} aria-label="Waiting for you to log in">
      <h2>Waiting for you to log in</h2>
      <ul>
        {changes.own.length > 0 && <Group ids={changes.own} until="you log in again" />}
        {changes.others.length > 0 && (
          <Group ids={changes.others} until="another account logs in on this device" />
        )}
      </ul>
    </section>
  );
}

interface GroupProps {
  readonly ids: readonly string[];
  /** The end of the sentence: when these changes are saved, such as "you log in again". */
  readonly until: string;
}

function Group({ ids, until }: GroupProps) {
  /** The ids that the dialog counts and removes, without later ones; null while the dialog is closed. */
  const [idsInDialog, setIdsInDialog] = useState<readonly string[] | null>(null);
  const count = changesWords((idsInDialog ?? ids).length);
  const isOne = idsInDialog?.length === 1;
  return (
    <li>
      <p>{`${changesWords(ids.length)} will be saved when ${until}.`}</p>
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
          ? 'It isn’t saved anywhere else, and you can’t undo this.'
          : 'They aren’t saved anywhere else, and you can’t undo this.'}
      </ConfirmDialog>
    </li>
  );
}

async function remove(ids: readonly string[]): Promise<void> {
  focusHeading();
  try {
    await connection.storage.write((db) => removeLeftBehind(db, ids));
    notify('status', `Removed ${changesWords(ids.length)}.`);
  } catch (error) {
    void connection.recoverFrom(error);
    announceNotStored();
  }
}

function changesWords(count: number): string {
  return count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`;
}
