/** Whether the shop can open the browser's dialog to install it. */
import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', new EventTarget());

test('a shop that was installed from the browser’s menu no longer offers to install it', async () => {
  const { installPrompt } = await import('../../src/pwa/install-prompt.ts');
  window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }));
  expect(installPrompt()).not.toBe(null);
  window.dispatchEvent(new Event('appinstalled'));
  expect(installPrompt()).toBe(null);
});
