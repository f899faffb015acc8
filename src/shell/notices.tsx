import { type MouseEvent, useEffect, useRef } from 'react';
import { Link } from '../ui/link.tsx';
import {
  announcementStore,
  closeNotice,
  dismissNotice,
  type NoticeAction,
  noticeStore,
} from '../ui/notices.ts';
import { focusHeading } from '../ui/page-title.tsx';
import { useStore } from '../ui/use-store.ts';
import styles from './notices.module.css';

/** Long enough to read two lines twice. */
const SHOWN_MS = 8000;

/** Keeps the live regions in the document: screen readers skip a region that arrives with its text. */
export function Notices() {
  const notice = useStore(noticeStore);
  const announcement = useStore(announcementStore);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A notice with an action stays until the user closes it or another replaces it.
    if (!notice || notice.action) return undefined;
    // With the focus on its button the notice stays: a user of the keyboard would lose their place.
    const timer = setInterval(() => {
      if (!box.current?.contains(document.activeElement)) dismissNotice();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [notice]);

  return (
    <div ref={box} className={styles['notices']}>
      <output className="visually-hidden">{announcement}</output>
      {(['alert', 'status'] as const).map((role) => (
        <div key={role} role={role}>
          {notice?.role === role && (
            <p key={notice.id} className={styles['notice']}>
              <span>{notice.text}</span>
              {notice.action && <Action action={notice.action} />}
              <button type="button" onClick={close} aria-label="Close this message">
                ×
              </button>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

/** Closes the notice. A user of the keyboard (`detail` 0) would lose their place with the button. */
function close({ detail }: MouseEvent): void {
  if (detail === 0) focusHeading();
  closeNotice();
}

function Action({ action: { label, href, run } }: { readonly action: NoticeAction }) {
  const onClick = (event: MouseEvent) => {
    // First, because the action may show a notice of its own.
    close(event);
    run?.();
  };
  return href === undefined ? (
    <button type="button" className={styles['action']} onClick={onClick}>
      {label}
    </button>
  ) : (
    <Link to={href} className={styles['action']} onClick={onClick}>
      {label}
    </Link>
  );
}
