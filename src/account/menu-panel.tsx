import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { updateAndReload } from '../browser/update-and-reload.ts';
import { connection } from '../db/connection.ts';
import type { ShopperRow } from '../db/database.ts';
import type { OpenChanges } from '../db/own-data.ts';
import { Link } from '../ui/link.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { notify } from '../ui/notices.ts';
import styles from './menu.module.css';

const NOT_FORGOTTEN =
  'We couldn’t log you out on this device because its storage is failing. Clear this site’s data ' +
  'in your browser settings before anyone else uses the device.';

/** A dialog about the shopper's data. The tab loads it when the shopper opens it. */
type DataDialog = ComponentType<{ readonly shopper: ShopperRow; readonly onClose: () => void }>;

export interface MenuPanelProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Closes the panel before a dialog opens; see `useDisclosure`. */
  readonly closeForDialog: () => void;
  readonly shopper: ShopperRow;
}

/** The panel that the account menu opens, and the dialogs that the panel opens. */
export function MenuPanel(props: MenuPanelProps) {
  const { id, isOpen, close, closeForDialog, shopper } = props;
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
          'This didn’t load. Check your connection.',
          // A reload would lose what is in memory only.
          connection.kept === 'memory'
            ? undefined
            : { label: 'Try again', run: () => void updateAndReload() },
        ),
    );
  }

  async function logOut(): Promise<void> {
    const mutations = await import('./mutations.ts');
    const isForgotten = await mutations.logOut(uid);
    await navigate('/');
    if (isForgotten) notify('status', 'You’re logged out.');
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
          {/* The specification shows this link to everybody who is logged in. The server decides who may import. */}
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

/** Counts the changes that a logout concerns. Loads the database's code only then, not with the menu. */
async function countOpen(uid: string): Promise<OpenChanges> {
  const ownData = await import('../db/own-data.ts');
  await connection.opened();
  return ownData.countOpen(connection.db, uid);
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
      no="Stay logged in"
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
    ? '1 change isn’t saved yet. We’ll keep it on this device and save it when you log in again.'
    : `${count} changes aren’t saved yet. We’ll keep them on this device and save them when you log in again.`;
}

function rejectedWords(count: number): string {
  return count === 1
    ? 'We couldn’t save 1 change. Check your cart to see why before you log out.'
    : `We couldn’t save ${count} changes. Check your cart to see why before you log out.`;
}
