import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { openAnew } from '../browser/open-anew.ts';
import { connection } from '../db/connection.ts';
import type { ShopperRow } from '../db/database.ts';
import type { OpenChanges } from '../db/own-data.ts';
import { Link } from '../ui/link.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { notify } from '../ui/notices.ts';
import styles from './menu.module.css';

const NOT_FORGOTTEN =
  'This device did not let go of your sign-in: its storage fails. Clear the data of this site in ' +
  'the settings of the browser before somebody else uses it.';

/** A dialog about the shopper's data. The tab loads it when the shopper opens it. */
type DataDialog = ComponentType<{ readonly shopper: ShopperRow; readonly onClose: () => void }>;

export interface MenuPanelProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Closes the panel before a dialog opens; see `useDisclosure`. */
  readonly closeForDialog: () => void;
  readonly shopper: ShopperRow;
  readonly countOpen: (uid: string) => Promise<OpenChanges>;
}

/** The panel that the account menu opens, and the dialogs that the panel opens. */
export function MenuPanel(props: MenuPanelProps) {
  const { id, isOpen, close, closeForDialog, shopper, countOpen } = props;
  const { uid, email, role } = shopper;
  const navigate = useNavigate();
  /** The changes that the logout dialog names; null while it is closed. */
  const [changesAtStake, setChangesAtStake] = useState<OpenChanges | null>(null);
  const [Dialog, setDialog] = useState<DataDialog | null>(null);

  function openDataDialog(name: 'DeletionDialog' | 'ExportDialog'): void {
    closeForDialog();
    void import('./own-data.tsx').then(
      (dialogs) => setDialog(() => dialogs[name]),
      () =>
        notify(
          'alert',
          'This did not arrive. The signal may have been lost.',
          // A reload would lose what is in memory only.
          connection.kept === 'memory'
            ? undefined
            : { label: 'Try again', run: () => void openAnew() },
        ),
    );
  }

  async function logOut(): Promise<void> {
    const mutations = await import('./mutations.ts');
    const isForgotten = await mutations.logOut(uid);
    await navigate('/');
    if (isForgotten) notify('status', 'You are logged out.');
    else notify('alert', NOT_FORGOTTEN);
  }

  /** Logs out, after a question if changes are at stake. */
  async function askAndLogOut(): Promise<void> {
    closeForDialog();
    // A failed count must not prevent the logout.
    const changes = await countOpen(uid).catch(() => null);
    if (changes && changes.unsaved + changes.rejected > 0) setChangesAtStake(changes);
    else await logOut();
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
          {role !== undefined && role === import.meta.env.VITE_STAFF_ROLE && (
            <>
              <li>
                <Link to="/admin/orders" onClick={close}>
                  Orders to send
                </Link>
              </li>
              <li>
                <Link to="/admin/products" onClick={close}>
                  Products
                </Link>
              </li>
            </>
          )}
          <li>
            <button type="button" onClick={() => openDataDialog('ExportDialog')}>
              Export my data
            </button>
          </li>
          <li>
            <button type="button" onClick={() => openDataDialog('DeletionDialog')}>
              Delete my account
            </button>
          </li>
          <li>
            <button type="button" onClick={() => void askAndLogOut()}>
              Logout
            </button>
          </li>
        </ul>
      </div>
      {Dialog && <Dialog shopper={shopper} onClose={() => setDialog(null)} />}
      <LogoutDialog
        changes={changesAtStake}
        onAnswer={(isYes) => {
          setChangesAtStake(null);
          if (isYes) void logOut();
        }}
      />
    </>
  );
}

interface LogoutDialogProps {
  /** Null while the dialog is closed. */
  readonly changes: OpenChanges | null;
  readonly onAnswer: (isYes: boolean) => void;
}

/** Asks before a logout that would leave changes unsaved or lose the list of rejected ones. */
function LogoutDialog({ changes, onAnswer }: LogoutDialogProps) {
  const { unsaved, rejected } = changes ?? { unsaved: 0, rejected: 0 };
  return (
    <ConfirmDialog
      isOpen={changes !== null}
      heading="Log out now?"
      no="Stay"
      yes="Log out"
      onAnswer={onAnswer}
    >
      {unsaved > 0 && <span>{`${unsavedWords(unsaved)} `}</span>}
      {rejected > 0 && <span>{rejectedWords(rejected)}</span>}
    </ConfirmDialog>
  );
}

function unsavedWords(count: number): string {
  return count === 1
    ? '1 change is not saved yet. It stays on this device and is saved when you sign in again.'
    : `${count} changes are not saved yet. They stay on this device and are saved when you sign in again.`;
}

function rejectedWords(count: number): string {
  return count === 1
    ? '1 change was not taken by the shop. Your cart says why, until you log out.'
    : `${count} changes were not taken by the shop. Your cart says why, until you log out.`;
}
