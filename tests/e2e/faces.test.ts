/** The two typefaces: all texts are set in them, and nothing waits for them. */
import { expect, test } from 'vitest';
import { hold } from '../browser/hold.ts';
import { ada, context, GARMENTS, page, SHIRT, startLoading, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

/** The elements whose font begins with neither face. */
function otherFamilies(): string[] {
  return [...document.body.querySelectorAll('*')]
    .filter((element) => !/^"?Archivo( Narrow)?"?,/.test(getComputedStyle(element).fontFamily))
    .map((element) => element.outerHTML);
}

/** Whether each of the two faces has loaded; the bold weight of the family Archivo is Archivo Narrow. */
function areFacesLoaded(): boolean[] {
  return ['1rem Archivo', '600 1rem Archivo'].map((font) => document.fonts.check(font));
}

test('all texts are set in the two faces', { tags: 'long' }, async () => {
  await ada.logIn();
  await ada.add('Linen shirt, size M');
  for (const path of ['/', `/product/${SHIRT}`, '/cart', '/checkout', '/orders', '/admin/import']) {
    await ada.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(otherFamilies), path).toEqual([]);
  }
});

test('the faces hold nothing up: all texts are there while the faces are not, and stay in their place', async () => {
  const release = await hold(context, /\.woff2$/);
  await startLoading('/');
  await ada.waitForProducts(GARMENTS.length);
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3, [role=list] button, header a')].map((element) => {
        const { top, height } = element.getBoundingClientRect();
        return [element.textContent, Math.round(top), Math.round(height)];
      }),
    );
  const before = await places();
  expect(await page.evaluate(areFacesLoaded)).toEqual([false, false]);
  release();
  await expect.poll(() => page.evaluate(areFacesLoaded)).toEqual([true, true]);
  expect(await places()).toEqual(before);
});
