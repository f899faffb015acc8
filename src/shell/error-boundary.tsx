import { Component, type ReactNode } from 'react';
import { connection } from '../db/connection.ts';
import { ErrorBox } from '../ui/error-box.tsx';

/** The catalogue is loaded anew, in case it was what could not be drawn. */
function openAgain() {
  void import('../db/catalogue-log.ts')
    .then(({ forgetCatalogue }) => forgetCatalogue(connection.catalogue))
    .catch(() => undefined)
    .then(() => location.assign('/'));
}

/** A bug in a screen: said in plain words, and a way on. React has put the error in the console. */
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
