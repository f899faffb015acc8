import { Component, type ReactNode } from 'react';
import { connection } from '../db/connection.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import styles from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';

/** How long the device may take to delete the catalogue: another tab may lock it, even for good. */
const DELETING_PATIENCE_MS = 2000;

/**
 * Opens the shop again. Deletes the stored catalogue before, in case React could not render that; but not without a
 * network, because then the device could not load it again.
 */
function openAgain(): void {
  if (!navigator.onLine) {
    location.assign('/');
    return;
  }
  const deleting = import('../db/catalogue-log.ts').then(({ forgetCatalogue }) =>
    forgetCatalogue(connection.catalogue),
  );
  const late = new Promise((resolve) => setTimeout(resolve, DELETING_PATIENCE_MS));
  void Promise.race([deleting, late])
    .catch(() => undefined)
    .then(() => location.assign('/'));
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Whether this boundary is inside the shop's frame, which has the main landmark. */
  readonly isFramed?: boolean;
}

/** Reports a bug in a screen in plain words, with a button to continue. React logs the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    const Landmark = this.props.isFramed ? 'div' : 'main';
    return (
      <Landmark className={styles['page']}>
        <PageTitle>This page has stopped</PageTitle>
        <ErrorBox action={{ label: 'Open the shop again', run: openAgain }}>
          There is a mistake in the shop. Nothing you saved is lost.
        </ErrorBox>
      </Landmark>
    );
  }
}
