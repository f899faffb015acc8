import { Suspense, use, useMemo, useState } from 'react';
import type { ImportSession } from './session.ts';
import type { Encoding } from './protocol.ts';
import styles from './reading-panel.module.css';
import { ENCODING_NAMES } from './words.ts';

interface FirstLinesProps {
  readonly session: ImportSession;
  readonly file: File;
  readonly encoding: Encoding;
}

/** The first lines of the file in an encoding, so that the user sees whether it is the right one. */
export function FirstLines({ session, file, encoding }: FirstLinesProps) {
  const [isOpen, setOpen] = useState(false);
  const lines = useMemo(
    () => (isOpen ? session.worker.peek(file, encoding).catch(() => NOT_READABLE) : null),
    [isOpen, session, file, encoding],
  );
  return (
    <details
      className={styles['lines']}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{`The first lines as ${ENCODING_NAMES[encoding]}`}</summary>
      <pre role="region" tabIndex={IN_TAB_ORDER} aria-label="The first lines of the file">
        <Suspense>{lines && <Lines lines={lines} />}</Suspense>
      </pre>
    </details>
  );
}

const NOT_READABLE = 'These lines cannot be read.';
/** The element can be wider than the page, and a keyboard scrolls it only while it has the focus. */
const IN_TAB_ORDER = 0;

function Lines({ lines }: { readonly lines: Promise<string> }) {
  return <span>{use(lines)}</span>;
}
