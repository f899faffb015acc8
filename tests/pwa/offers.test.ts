/** When an offer of the shop shows, and what counts as the user's answer to it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { offer } from '../../src/pwa/offers.ts';
import { closeNotice, dismissNotice, noticeStore, notify } from '../../src/ui/notices.ts';

vi.stubGlobal('window', globalThis);
vi.useFakeTimers();

const action = { label: 'Install' };
const onClosed = vi.fn();
const shownText = () => noticeStore.snapshot()?.text;

beforeEach(() => {
  dismissNotice();
  onClosed.mockClear();
});

test('an offer waits until no notice is shown, and shows again after another notice has replaced it', () => {
  notify('status', 'Coat was removed.');
  offer({ text: 'Install?', action, onClosed });
  vi.runAllTimers();
  expect(shownText()).toBe('Coat was removed.');
  dismissNotice();
  vi.runAllTimers();
  expect(shownText()).toBe('Install?');
  notify('alert', 'Payment was not completed.');
  dismissNotice();
  vi.runAllTimers();
  expect(shownText()).toBe('Install?');
  expect(onClosed).not.toHaveBeenCalled();
  closeNotice();
  vi.runAllTimers();
  expect(shownText()).toBe(undefined);
  expect(onClosed).toHaveBeenCalledTimes(1);
});

test('an offer that the shop takes away itself, as for a payment, has not been answered', () => {
  offer({ text: 'Install?', action, onClosed });
  vi.runAllTimers();
  dismissNotice();
  expect(onClosed).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(shownText()).toBe('Install?');
  closeNotice();
});

test('an offer whose action shows a notice has been answered, and does not come back', () => {
  offer({ text: 'Update?', action, onClosed });
  vi.runAllTimers();
  closeNotice(); // as a press of the action does
  notify('status', 'The new version opens later.');
  expect(onClosed).toHaveBeenCalledTimes(1);
  dismissNotice();
  vi.runAllTimers();
  expect(shownText()).toBe(undefined);
});
