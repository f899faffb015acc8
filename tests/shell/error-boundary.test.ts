/** The screen after a mistake of the shop, and its button. */
import type { ReactElement } from 'react';
import { expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import type { WeftDatabase } from '../../src/db/database.ts';
import { ErrorBoundary } from '../../src/shell/error-boundary.tsx';

type Box = ReactElement<{ readonly action: { readonly run: () => void } }>;

test('the shop opens again though another tab keeps the stored catalogue locked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const assign = vi.fn();
  vi.stubGlobal('location', { assign });
  const locked = { transaction: () => new Promise(() => undefined) };
  vi.spyOn(connection, 'catalogue', 'get').mockReturnValue(locked as unknown as WeftDatabase);
  const boundary = new ErrorBoundary({ children: null });
  boundary.state = { hasFailed: true };
  const { props } = boundary.render() as ReactElement<{
    readonly children: readonly [unknown, Box];
  }>;
  props.children[1].props.action.run();
  await vi.advanceTimersByTimeAsync(2000);
  await expect.poll(() => assign.mock.calls).toEqual([['/']]);
});
