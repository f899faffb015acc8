import { Component, type ComponentType, lazy, type ReactNode } from 'react';
import { updateAndReload } from '../browser/update-and-reload.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import styles from '../ui/loose-thread.module.css';
import { PageTitle } from '../ui/page-title.tsx';

/** The script of a screen did not arrive. */
class ScriptMissing extends Error {}

/** A screen whose script the tab loads when the user opens it. */
export function lazyScreen(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new ScriptMissing('the script of a screen did not arrive', { cause });
    }
  });
}

/**
 * Catches a screen whose script did not arrive, because the network failed or the shop has deployed
 * another version. A reload gets the script and the version that it belongs to. An error of a screen that has
 * arrived goes on to the `ErrorBoundary` outside.
 */
export class ChunkBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof ScriptMissing)) throw error;
    return (
      <div className={styles['page']}>
        <PageTitle>Couldn’t load this page</PageTitle>
        <ErrorBox action={{ label: 'Try again', run: () => void updateAndReload() }}>
          Check your connection, then try again. Everything you saved is still here.
        </ErrorBox>
      </div>
    );
  }
}
