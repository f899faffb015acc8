import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OpenChanges } from '../db/open-changes.ts';

export interface LogoutDialogHandle {
  /** Asks whether to log out, with the number of unsaved and of rejected changes. */
  readonly open: (changes: OpenChanges) => void;
}

interface LogoutDialogProps {
  readonly ref: Ref<LogoutDialogHandle>;
  readonly onLeave: () => void;
}

/** Asks before a logout that would leave changes unsaved or lose the list of rejected ones. */
export function LogoutDialog({ ref, onLeave }: LogoutDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ unsaved, rejected }, setChanges] = useState<OpenChanges>({ unsaved: 0, rejected: 0 });
  useImperativeHandle(ref, () => ({
    open(next) {
      // Before the dialog opens: a screen reader reads what it contains at that moment.
      flushSync(() => setChanges(next));
      dialog.current?.showModal();
    },
  }));

  return (
    <dialog ref={dialog} aria-labelledby={id}>
      {/* The browser closes the dialog and names the button that was pressed. */}
      <form
        method="dialog"
        onSubmit={({ nativeEvent }) => {
          const { submitter } = nativeEvent;
          if (submitter?.getAttribute('value') === 'leave') onLeave();
        }}
      >
        <h2 id={id}>Log out now?</h2>
        {unsaved > 0 && <p>{unsavedWords(unsaved)}</p>}
        {rejected > 0 && <p>{rejectedWords(rejected)}</p>}
        <div className="choice">
          <button type="submit" className="button" value="stay">
            Stay
          </button>
          <button type="submit" className="quiet" value="leave">
            Log out
          </button>
        </div>
      </form>
    </dialog>
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
