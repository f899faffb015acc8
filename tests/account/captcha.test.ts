/** The CAPTCHA of hCaptcha or Turnstile: loading its script, and the token that it gives. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type CaptchaState,
  captchaSettings,
  drawCaptcha,
} from '../../src/account/captcha-script.ts';

interface Script {
  src: string;
  onload: () => void;
  onerror: () => void;
  remove: () => void;
}

let scripts: Script[];
beforeEach(() => {
  scripts = [];
  vi.stubGlobal('matchMedia', () => ({ matches: false })); // asked for the widget's theme
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => undefined }),
    head: { append: (script: Script) => scripts.push(script) },
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** Draws the CAPTCHA of this provider. */
function draw(provider: 'hcaptcha' | 'turnstile', onChange: (state: CaptchaState) => void) {
  const settings = captchaSettings(provider, 'key');
  if (!settings) throw new Error('no settings');
  const element = {} as HTMLElement; // only the provider draws in it
  return drawCaptcha(settings, element, onChange);
}

test('a shop has a CAPTCHA when both its provider and its site key are set', () => {
  expect(captchaSettings(undefined, undefined)).toBeNull();
  expect(captchaSettings('', '')).toBeNull();
  expect(captchaSettings('hcaptcha', '')).toBeNull();
  expect(captchaSettings('turnstile', 'key')).not.toBeNull();
});

test.each<['hcaptcha' | 'turnstile', string]>([
  ['hcaptcha', 'https://js.hcaptcha.com/1/api.js?render=explicit'],
  ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'],
])('%s draws its widget, whose token is gone after an expiry or an error', async (name, src) => {
  const states: CaptchaState[] = [];
  const options: Record<string, (token?: string) => void> = {};
  const calls: string[] = [];
  const drawing = draw(name, (state) => states.push(state));
  expect(scripts.map((script) => script.src)).toEqual([src]);
  vi.stubGlobal(name, {
    render: (_: unknown, given: object) => {
      Object.assign(options, given);
      return 'w1';
    },
    reset: (widget: string) => calls.push(`reset ${widget}`),
    remove: (widget: string) => calls.push(`remove ${widget}`),
  });
  scripts[0]?.onload();
  const widget = await drawing;
  options['callback']?.('token-1');
  options['expired-callback']?.();
  options['callback']?.('token-2');
  options['error-callback']?.();
  options['callback']?.('token-3');
  expect(states).toEqual([
    { token: 'token-1', hasFailed: false },
    { token: null, hasFailed: false },
    { token: 'token-2', hasFailed: false },
    { token: null, hasFailed: true },
    { token: 'token-3', hasFailed: false },
  ]);
  widget.reset();
  widget.remove();
  expect(calls).toEqual(['reset w1', 'remove w1']);
});

test('a script that does not load is reported, and requested again the next time', async () => {
  const ignore = () => undefined;
  for (const requests of [1, 2]) {
    const drawing = draw('hcaptcha', ignore);
    scripts.at(-1)?.onerror();
    await expect(drawing).rejects.toThrow('did not load');
    expect(scripts).toHaveLength(requests);
  }
});
