import { useEffect, useSyncExternalStore } from 'react';
import { currentNotice, dismissNotice, subscribeToNotices } from '../ui/notices.ts';
import styles from './notices.module.css';

/** Long enough to read two lines twice. */
const SHOWN_MS = 8000;

/** Both live regions are always in the document: a region that arrives with its text is not read. */
export function Notices() {
  const notice = useSyncExternalStore(subscribeToNotices, currentNotice);

  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(dismissNotice, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  return (
    <div className={styles['notices']}>
      {(['alert', 'status'] as const).map((role) => (
        <div key={role} role={role}>
          {notice?.role === role && (
            <p key={notice.id} className={styles['notice']}>
              <span>{notice.text}</span>
              {notice.action && (
                <button
                  type="button"
                  className={styles['action']}
                  onClick={() => {
                    notice.action?.run();
                    dismissNotice();
                  }}
                >
                  {notice.action.label}
                </button>
              )}
              <button type="button" onClick={dismissNotice} aria-label="Close this message">
                ×
              </button>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
