import { Component, type ReactNode } from 'react';
import { connection } from '../db/connection.ts';
import { ErrorBox } from '../ui/error-box.tsx';

/** Opens the shop again without the stored catalogue, in case React could not render that. */
function openAgain() {
  void import('../db/catalogue-log.ts')
    .then(({ forgetCatalogue }) => forgetCatalogue(connection.catalogue))
    .catch(() => undefined)
    .then(() => location.assign('/'));
}

/** Reports a bug in a screen in plain words, with a button to continue. React logs the error. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main>
        <ErrorBox action={{ label: 'Open the shop again', run: openAgain }}>
          This page has stopped because of a mistake in the shop. Nothing you saved is lost.
        </ErrorBox>
      </main>
    );
  }
}
