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

/** The top of the file as it reads in an encoding: whether that is the right one is seen at once. */
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
      <summary>The first lines as {ENCODING_NAMES[encoding]}</summary>
      <pre role="region" tabIndex={IN_TAB_ORDER} aria-label="The first lines of the file">
        <Suspense>{lines && <Lines lines={lines} />}</Suspense>
      </pre>
    </details>
  );
}

const NOT_READABLE = 'These lines cannot be read.';
/** Wider than the page: the keyboard has to reach it to scroll it. */
const IN_TAB_ORDER = 0;

function Lines({ lines }: { readonly lines: Promise<string> }) {
  return use(lines);
}
