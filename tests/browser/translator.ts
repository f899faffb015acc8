import type { BrowserContext } from 'playwright-core';

/**
 * Treats each page of a context as browsers that translate a page do, but keeps the words: each text node is
 * replaced by two elements, one in the other, and so is each text that is added later.
 *
 * @returns the texts that were changed in a node which is not on the page any more: nobody sees the new text
 */
export async function translatePages(context: BrowserContext): Promise<readonly string[]> {
  const unseenTexts: string[] = [];
  await context.exposeFunction('noteUnseenText', (text: string) => unseenTexts.push(text));
  await context.addInitScript(() => {
    const { noteUnseenText } = window as unknown as { noteUnseenText: (text: string) => void };
    const replacedTexts = new MutationObserver((records) => {
      for (const { target, oldValue } of records) {
        noteUnseenText(`“${target.nodeValue}”, and the page shows “${oldValue}”`);
      }
    });

    function translate(text: Text): void {
      if (text.parentElement?.closest('head, script, style, noscript, font') !== null) return;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      outer.firstElementChild?.append(text.data);
      text.replaceWith(outer);
      replacedTexts.observe(text, { characterData: true, characterDataOldValue: true });
    }

    function translateAll(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text); // the walker shows only texts
      texts.forEach(translate);
    }

    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(translateAll);
    }).observe(document, { childList: true, subtree: true });
  });
  return unseenTexts;
}
