import { type ComponentType, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ShopperRow } from '../db/database.ts';
import type { OpenChanges } from '../db/open-changes.ts';
import { notify } from '../ui/notices.ts';
import { LogoutDialog } from './logout-dialog.tsx';
import styles from './menu.module.css';

const NOT_FORGOTTEN =
  'This device did not let go of your sign-in: its storage fails. Clear the data of this site in ' +
  'the settings of the browser before somebody else uses it.';

/** A dialog about the shopper's data, which the tab loads when the shopper asks for it. */
type DataDialog = ComponentType<{ readonly shopper: ShopperRow; readonly onClose: () => void }>;

export interface MenuPanelProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly shopper: ShopperRow;
  readonly countOpen: (uid: string) => Promise<OpenChanges>;
}

/** What the account menu opens, and its dialogs. */
export function MenuPanel({ id, isOpen, close, shopper, countOpen }: MenuPanelProps) {
  const { uid, email } = shopper;
  const navigate = useNavigate();
  /** The changes that the logout dialog names; null while it is closed. */
  const [atStake, setAtStake] = useState<OpenChanges | null>(null);
  const [Dialog, setDialog] = useState<DataDialog | null>(null);

  /** Opens one of the dialogs about the shopper's data. */
  function show(which: 'DeletionDialog' | 'ExportDialog'): void {
    close();
    void import('./own-data.tsx').then(
      (dialogs) => setDialog(() => dialogs[which]),
      () => notify('alert', 'This needs a connection, and there is none now.'),
    );
  }

  async function leave(): Promise<void> {
    const { logOut } = await import('./mutations.ts');
    const isForgotten = await logOut();
    await navigate('/');
    if (isForgotten) notify('status', 'You are logged out.');
    else notify('alert', NOT_FORGOTTEN);
  }

  async function askAndLeave(): Promise<void> {
    close();
    // A failed count must not prevent the logout.
    const changes = await countOpen(uid).catch(() => null);
    if (changes && changes.unsaved + changes.rejected > 0) setAtStake(changes);
    else await leave();
  }

  return (
    <>
      <div id={id} className={styles['panel']} hidden={!isOpen}>
        {email !== '' && <p>{email}</p>}
        <ul>
          <li>
            <Link to="/orders" onClick={close}>
              Orders
            </Link>
          </li>
          <li>
            <Link to="/admin/import" onClick={close}>
              Admin
            </Link>
          </li>
          <li>
            <button type="button" onClick={() => show('ExportDialog')}>
              Export my data
            </button>
          </li>
          <li>
            <button type="button" onClick={() => show('DeletionDialog')}>
              Delete my account
            </button>
          </li>
          <li>
            <button type="button" onClick={() => void askAndLeave()}>
              Logout
            </button>
          </li>
        </ul>
      </div>
      {Dialog && <Dialog shopper={shopper} onClose={() => setDialog(null)} />}
      <LogoutDialog
        changes={atStake}
        onAnswer={(isLeaving) => {
          setAtStake(null);
          if (isLeaving) void leave();
        }}
      />
    </>
  );
}
