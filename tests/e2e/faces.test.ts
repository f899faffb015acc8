/** The two typefaces: all texts are set in them, they have the promised letters, and nothing waits for them. */
import { describe, expect, test } from 'vitest';
import { FACE_CHARACTERS } from '../../netlify/build/faces.ts';
import { hold } from '../browser/hold.ts';
import { ada, context, GARMENTS, page, SHIRT, startLoading, visitBeforeEach } from './fixture.ts';

visitBeforeEach({ products: GARMENTS });

/** The names of the faces inside their font files. */
const SHIPPED = ['Archivo', 'Archivo Narrow'];

/** The fonts in which the page's texts are drawn: fonts that the shop ships, and others with the element. */
async function drawnFonts(): Promise<{ shipped: string[]; others: string[] }> {
  await page.evaluate(() => document.fonts.ready);
  const shipped = new Set<string>();
  const others: string[] = [];
  const devtools = await context.newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    // The button of a file's input is the browser's own, and out of sight.
    selector: 'body :not([type=file])',
  });
  for (const nodeId of nodeIds) {
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    for (const { familyName, isCustomFont } of fonts) {
      if (isCustomFont) {
        shipped.add(familyName.replace(/ SemiBold$/, ''));
        continue;
      }
      const { outerHTML } = await devtools.send('DOM.getOuterHTML', { nodeId });
      others.push(`${familyName}: ${outerHTML}`);
    }
  }
  await devtools.detach();
  return { shipped: [...shipped].toSorted(), others };
}

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
    const { shipped, others } = await drawnFonts();
    expect(others, path).toEqual([]);
    expect(shipped, path).toEqual(SHIPPED);
  }
});

describe('the faces', () => {
  test('have every letter that they promise', async () => {
    await ada.goto('/');
    await page.waitForLoadState('networkidle');
    await page.evaluate((letters) => {
      for (const weight of ['400', '600']) {
        const text = document.createElement('p');
        text.style.fontWeight = weight;
        text.textContent = letters;
        document.querySelector('main')?.append(text);
      }
    }, FACE_CHARACTERS);
    const { others } = await drawnFonts();
    expect(others).toEqual([]);
  });

  test('hold nothing up: all texts are there while the faces are not, and stay in their place', async () => {
    const release = await hold(context, /\.woff2$/);
    await startLoading('/');
    await ada.waitForProducts(GARMENTS.length);
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('h1, h2, h3, [role=list] button, header a')].map(
          (element) => {
            const { top, height } = element.getBoundingClientRect();
            return [element.textContent, Math.round(top), Math.round(height)];
          },
        ),
      );
    const before = await places();
    expect(await page.evaluate(areFacesLoaded)).toEqual([false, false]);
    release();
    await expect.poll(() => page.evaluate(areFacesLoaded)).toEqual([true, true]);
    expect(await places()).toEqual(before);
  });

  // If only the stylesheet asked for the text face, it would be the last file before the largest paint.
  test('are asked for by the document itself', async () => {
    await ada.goto('/');
    const preloaded = await page
      .locator('link[rel=preload][as=font]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(preloaded).toEqual([
      expect.stringMatching(/^\/assets\/archivo-narrow-.*\.woff2$/),
      expect.stringMatching(/^\/assets\/archivo-.*\.woff2$/),
    ]);
  });
});
