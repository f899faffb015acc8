/** Checks with axe the screens that other tests do not check: passing states, and screens without data. */
import { describe, test } from 'vitest';
import { expectAccessible, LOOKS } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { hold } from '../browser/hold.ts';
import { fewOf } from '../full-run.ts';
import { ada, context, GARMENTS, page, REACT_SCRIPT, visitBeforeEach } from './fixture.ts';

describe.each(fewOf(1, LOOKS))(
  'axe finds nothing at $width pixels, $colorScheme,',
  ({ width, colorScheme }) => {
    visitBeforeEach({ products: GARMENTS, viewport: { width, height: 800 }, colorScheme });

    test('on the first screen without products, without React and without a server', async () => {
      const releaseProducts = await hold(context, /\/catalogue\//);
      await hold(context, REACT_SCRIPT);
      await ada.goto('/');
      await page.getByText('Loading products...').waitFor();
      await expectAccessible(page, 'the first screen without products');
      releaseProducts();
      await page.getByRole('article').first().waitFor();
      await expectAccessible(page, 'the first products, before React');

      await context.unrouteAll();
      await context.route(/\/catalogue\//, (route) => route.abort());
      await page.reload();
      await page.getByRole('heading', { name: 'Error' }).waitFor();
      await expectAccessible(page, 'a catalogue that does not come');
    });

    test(
      'on screens of a visitor, of a new shopper, and of a shopper who is offline',
      { tags: ['worker', 'long'] },
      async () => {
        for (const path of ['/orders', '/checkout/success']) {
          await ada.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await expectAccessible(page, `${path}, signed out`);
        }
        await ada.logIn();
        await waitForWorker(page);
        for (const [path, words] of [
          ['/cart', 'Your cart is empty'],
          ['/orders', 'You haven’t ordered anything yet.'],
          ['/?favourites=', 'No favourites yet. Tap the heart on anything you like.'],
        ] as const) {
          await ada.goto(path);
          await page.getByText(words).waitFor();
          await expectAccessible(page, `${path}, empty`);
        }
        await ada.goto('/');
        await ada.add('Scarf', 'Linen shirt, size M');
        await context.setOffline(true);
        for (const path of ['/', '/cart', '/checkout', '/orders']) {
          await ada.goto(path);
          await page.getByText(/^Offline since/).waitFor();
          await page.getByRole('heading', { level: 1 }).waitFor();
          await expectAccessible(page, `${path}, offline`);
        }
      },
    );
  },
);
