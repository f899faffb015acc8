/** A screen whose script did not arrive, and a screen with a mistake. */
import { type ReactElement, Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChunkBoundary, lazyScreen } from '../../src/shell/chunk-boundary.tsx';
import { PageTitle } from '../../src/ui/page-title.tsx';

type Page = ReactElement<{ readonly children: readonly ReactElement[] }>;

/** What the boundary draws after an error while React draws this screen. */
async function drawAfterErrorOf(Screen: ReturnType<typeof lazyScreen>): Promise<Page> {
  const errors: Error[] = [];
  const onError = (error: unknown) => void errors.push(error as Error); // these tests throw no other
  const stream = await renderToReadableStream(
    <Suspense>
      <Screen />
    </Suspense>,
    { onError },
  );
  await stream.allReady;
  expect(errors).toHaveLength(1);
  const boundary = new ChunkBoundary({ children: null });
  boundary.state = ChunkBoundary.getDerivedStateFromError(errors[0]!); // there is one
  return boundary.render() as Page;
}

test('a screen whose script does not arrive says so', async () => {
  const screen = lazyScreen(() => Promise.reject(new TypeError('fetch failed')));
  const { props } = await drawAfterErrorOf(screen);
  expect(props.children[0]).toEqual(<PageTitle>Couldn’t load this page</PageTitle>);
});

test('a screen with a mistake is not said to be missing', async () => {
  const screen = lazyScreen(async () => () => {
    throw new Error('a mistake in the shop');
  });
  await expect(drawAfterErrorOf(screen)).rejects.toThrow('a mistake in the shop');
});
