/** The forms about signing in. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { AccountForm } from '../../src/account/form.tsx';

test('a form with a CAPTCHA needs no other script of the shop, which might not arrive', () => {
  vi.stubEnv('VITE_TURNSTILE_SITE_KEY', 'key');
  const form = {
    isBusy: false,
    faults: {},
    failure: null,
    failureCode: null,
    failureCount: 0,
    submit: () => undefined,
    clearFault: () => undefined,
  };
  const words = { failureHeading: 'Login Failed', label: 'Log in', busyLabel: '', doing: '' };
  const markup = renderToStaticMarkup(<AccountForm {...words} form={form} takesCaptcha />);
  expect(markup).toContain('name="captcha"');
});
