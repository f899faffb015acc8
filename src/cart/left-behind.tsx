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
  const left = useStore(leftBehindStore);
  if (!left || left.own.length + left.others.length === 0) return null;
  return (
    <section className={styles['rejected']} aria-label="Waiting for a sign-in">
      <h2>Waiting for a sign-in</h2>
      <ul>
        {left.own.length > 0 && <Group ids={left.own} of="of yours" until="you sign in again" />}
        {left.others.length > 0 && (
          <Group
            ids={left.others}
            of="of an account that is not signed in"
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
  readonly of: string;
  readonly until: string;
}

function Group({ ids, of, until }: GroupProps) {
  // The changes that the dialog counts are those that it removes, even if others arrive meanwhile.
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const count = countOf((asked ?? ids).length);
  return (
    <li>
      <p>
        {countOf(ids.length)} {of} {ids.length === 1 ? 'waits' : 'wait'} until {until}.
      </p>
      <button type="button" onClick={() => setAsked(ids)}>
        Remove
      </button>
      <ConfirmDialog
        isOpen={asked !== null}
        heading={`Remove ${count}?`}
        no="Keep"
        yes={`Remove ${count}`}
        onAnswer={(isYes) => {
          if (isYes && asked) void remove(asked);
          setAsked(null);
        }}
      >
        {asked?.length === 1 ? 'It is' : 'They are'} not saved anywhere else. Nobody can bring{' '}
        {asked?.length === 1 ? 'it' : 'them'} back.
      </ConfirmDialog>
    </li>
  );
}

async function remove(ids: readonly string[]): Promise<void> {
  focusHeading();
  try {
    await connection.failover.write((db) => removeLeftBehind(db, ids));
    notify('status', `${countOf(ids.length)} removed.`);
  } catch (error) {
    void connection.recoverFrom(error);
    announceNotStored();
  }
}

function countOf(count: number): string {
  return count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`;
}
