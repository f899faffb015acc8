import { Component, type ReactNode } from 'react';
import { ErrorBox } from '../ui/error-box.tsx';

/**
 * A screen whose script did not arrive, because the signal went or another version was deployed
 * meanwhile. Opening the page anew gets the script, and the version it belongs to.
 */
export class ChunkBoundary extends Component<
  { readonly children: ReactNode },
  { readonly isMissing: boolean }
> {
  override state = { isMissing: false };

  static getDerivedStateFromError() {
    return { isMissing: true };
  }

  override render() {
    if (!this.state.isMissing) return this.props.children;
    return (
      <ErrorBox action={{ label: 'Try again', run: () => location.reload() }}>
        This page did not arrive. The signal may have been lost. Nothing you saved is lost.
      </ErrorBox>
    );
  }
}
