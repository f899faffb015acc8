/** The CAPTCHA: loading its script, and the token that it gives. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CaptchaState, drawCaptcha } from '../../src/account/captcha-script.ts';

interface Script {
  onload: () => void;
  onerror: () => void;
  remove: () => void;
}

let scripts: Script[];
beforeEach(() => {
  scripts = [];
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => undefined }),
    head: { append: (script: Script) => scripts.push(script) },
  });
});
afterEach(() => void vi.unstubAllGlobals());

/** Draws the CAPTCHA. */
function draw(onChange: (state: CaptchaState) => void = () => undefined) {
  const element = {} as HTMLElement; // only Turnstile draws in it
  return drawCaptcha('key', element, onChange);
}

test('the widget’s token is gone after an expiry or an error, and the page resets and removes its own widget', async () => {
  const states: CaptchaState[] = [];
  const options: Record<string, (token?: string) => void> = {};
  const calls: string[] = [];
  const drawing = draw((state) => states.push(state));
  vi.stubGlobal('turnstile', {
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
  for (const requests of [1, 2]) {
    const drawing = draw();
    scripts.at(-1)?.onerror();
    await expect(drawing).rejects.toThrow('did not load');
    expect(scripts).toHaveLength(requests);
  }
});
