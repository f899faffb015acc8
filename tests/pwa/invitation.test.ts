/** When the shop stops inviting the user to install it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { dismissNotice, noticeStore, notify } from '../../src/ui/notices.ts';
import { plugInStorage } from '../local-storage.ts';

vi.useFakeTimers();
vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
vi.stubGlobal('location', { pathname: '/' });
vi.stubGlobal('matchMedia', () => ({ matches: false }));
const { inviteToInstall } = await import('../../src/pwa/invitation.ts');

const shownText = () => noticeStore.snapshot()?.text;

/** The user comes back in a browser that can install the shop. */
beforeEach(() => {
  dismissNotice();
  plugInStorage('localStorage').set('visited', '1');
  plugInStorage('sessionStorage');
  window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }));
});

test('an invitation on screen goes when the user installs the shop from the browser’s menu', () => {
  inviteToInstall();
  vi.runAllTimers();
  expect(shownText()).toMatch(/^Keep .+ on this device\?/);
  window.dispatchEvent(new Event('appinstalled'));
  vi.runAllTimers();
  expect(shownText()).toBe(undefined);
});

test('an invitation that waits for another notice is not shown once the shop is installed', () => {
  notify('status', 'Coat was removed.');
  inviteToInstall();
  window.dispatchEvent(new Event('appinstalled'));
  expect(shownText()).toBe('Coat was removed.');
  dismissNotice();
  vi.runAllTimers();
  expect(shownText()).toBe(undefined);
});
