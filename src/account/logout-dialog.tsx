import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import styles from './menu.module.css';

export interface LogoutDialogHandle {
  /** Asks, naming how many changes are not saved. */
  readonly open: (count: number) => void;
}

interface LogoutDialogProps {
  readonly ref: Ref<LogoutDialogHandle>;
  readonly onLeave: () => void;
}

/** Names what is not saved yet before a logout. */
export function LogoutDialog({ ref, onLeave }: LogoutDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [count, setCount] = useState(0);
  useImperativeHandle(ref, () => ({
    open(next) {
      setCount(next);
      dialog.current?.showModal();
    },
  }));
  const [what, they, are] =
    count === 1 ? ['1 change is', 'It', 'is'] : [`${count} changes are`, 'They', 'are'];

  return (
    <dialog ref={dialog} className={styles['dialog']} aria-labelledby={id}>
      {/* The browser closes it, and tells by which button. */}
      <form
        method="dialog"
        onSubmit={({ nativeEvent }) => {
          const { submitter } = nativeEvent;
          if (submitter?.getAttribute('value') === 'leave') onLeave();
        }}
      >
        <h2 id={id}>Log out now?</h2>
        <p>
          {what} not saved yet. {they} stay{count === 1 ? 's' : ''} on this device and {are} saved
          when you sign in again.
        </p>
        <div className={styles['choice']}>
          <button type="submit" className="button" value="stay">
            Stay
          </button>
          <button type="submit" className={styles['quiet']} value="leave">
            Log out
          </button>
        </div>
      </form>
    </dialog>
  );
}
