import type { OpenChanges } from '../db/open-changes.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface LogoutDialogProps {
  /** Null while the dialog is closed. */
  readonly changes: OpenChanges | null;
  readonly onAnswer: (isYes: boolean) => void;
}

/** Asks before a logout that would leave changes unsaved or lose the list of rejected ones. */
export function LogoutDialog({ changes, onAnswer }: LogoutDialogProps) {
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
