import { Component, type ReactNode } from 'react';
import { connection } from '../db/connection.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import styles from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';

/** How long the device may take to delete the catalogue: another tab may lock it, even for good. */
const DELETING_PATIENCE_MS = 2000;

/**
 * Reloads the page. First deletes the stored catalogue, in case React could not render it. Without a network the
 * catalogue stays, because the device could not load it again.
 */
function reloadWithoutCatalogue(): void {
  if (!navigator.onLine) {
    location.reload();
    return;
  }
  const deleting = import('../db/catalogue-log.ts').then(({ forgetCatalogue }) =>
    forgetCatalogue(connection.catalogue),
  );
  const late = new Promise((resolve) => setTimeout(resolve, DELETING_PATIENCE_MS));
  void Promise.race([deleting, late])
    .catch(() => undefined)
    .then(() => location.reload());
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Whether this boundary is inside the shop's frame, which has the main landmark. */
  readonly isFramed?: boolean;
}

interface ErrorBoundaryState {
  readonly error: unknown;
  /** Whether this screen has been drawn a second time. */
  readonly isRedrawn: boolean;
}

/**
 * Reports a bug in a screen in plain words, with a button to continue. React logs the error.
 *
 * A translator or an extension may have moved nodes, so that React cannot change them. Then the boundary first
 * draws the screen anew, once: React mounts the children of a boundary from scratch after an error.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, isRedrawn: false };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (isNodeMissing(error) && !this.state.isRedrawn)
      this.setState({ error: null, isRedrawn: true });
  }

  override render() {
    const { error, isRedrawn } = this.state;
    if (error === null || (isNodeMissing(error) && !isRedrawn)) return this.props.children;
    const Landmark = this.props.isFramed ? 'div' : 'main';
    return (
      <Landmark className={styles['page']}>
        <PageTitle>This page stopped working</PageTitle>
        <ErrorBox action={{ label: 'Open this page again', run: reloadWithoutCatalogue }}>
          Something went wrong on our side. Everything you saved is still here.
        </ErrorBox>
      </Landmark>
    );
  }
}

/** Whether React did not find a node where it had put it. Source: DOM standard, `removeChild` and `insertBefore`. */
function isNodeMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}
