/** When the shop stops inviting the user to install it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { closeNotice, dismissNotice, noticeStore, notify } from '../../src/ui/notices.ts';
import { plugInStorage } from '../page-storage.ts';

vi.useFakeTimers();
vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
vi.stubGlobal('location', { pathname: '/' });
const { inviteToInstall } = await import('../../src/pwa/invitation.ts');

const shownText = () => noticeStore.snapshot()?.text;

/** Invites, and lets the time pass in which an invitation appears. */
function waitForInvitation(): void {
  inviteToInstall();
  vi.runAllTimers();
}

/** The user comes back in a browser that can install the shop. */
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  dismissNotice();
  plugInStorage('localStorage').set('visited', '1');
  plugInStorage('sessionStorage');
  window.dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }));
});

test('an invitation on screen goes when the user installs the shop from the browser’s menu', () => {
  waitForInvitation();
  expect(shownText()).toContain('this device?');
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

test('nobody is invited at a first visit, in the installed shop, or after closing the invitation', () => {
  plugInStorage('localStorage');
  waitForInvitation();
  expect(shownText(), 'a first visit').toBe(undefined);

  plugInStorage('localStorage').set('visited', '1');
  plugInStorage('sessionStorage');
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  waitForInvitation();
  expect(shownText(), 'the installed shop').toBe(undefined);

  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  waitForInvitation();
  expect(shownText()).toContain('this device?');
  closeNotice();
  waitForInvitation();
  expect(shownText(), 'after closing it').toBe(undefined);
});
