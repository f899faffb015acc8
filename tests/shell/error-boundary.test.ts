/** The screen after a mistake of the shop, and its button. */
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ErrorBoundary } from '../../src/shell/error-boundary.tsx';

type Box = ReactElement<{ readonly action: { readonly run: () => void } }>;

/** How long the button waits for the device to delete the catalogue. */
const PATIENCE_MS = 2000;

const reload = vi.fn();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('location', { reload });
});

test('the same page opens again though another tab keeps the stored catalogue locked', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const locked = { transaction: () => new Promise(() => undefined) };
  vi.spyOn(connection, 'catalogue', 'get').mockReturnValue(locked as unknown as WeftDatabase);
  pressTheButton();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await expect.poll(() => reload.mock.calls).toEqual([[]]);
});

test('without a network the same page opens again and keeps the stored catalogue', () => {
  vi.stubGlobal('navigator', { onLine: false });
  const catalogue = vi.spyOn(connection, 'catalogue', 'get');
  pressTheButton();
  expect(reload.mock.calls).toEqual([[]]);
  expect(catalogue).not.toHaveBeenCalled();
});

function pressTheButton(): void {
  const boundary = new ErrorBoundary({ children: null });
  boundary.state = { error: new Error('a mistake'), isRedrawn: false };
  const { props } = boundary.render() as ReactElement<{
    readonly children: readonly [unknown, Box];
  }>;
  props.children[1].props.action.run();
}
