/**
 * Loads Turnstile, the CAPTCHA that the shop's auth service may be set up for, and draws its widget. Source:
 * developers.cloudflare.com/turnstile/get-started/client-side-rendering.
 */
import { loadScript } from '../browser/load-script.ts';

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/** What the script puts into `window`. */
interface Turnstile {
  /** Returns the id of the widget. */
  render(container: HTMLElement, options: object): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

export interface Widget {
  /** Shows the question anew, because a token is good for one request. */
  reset(): void;
  remove(): void;
}

export interface CaptchaState {
  /** Null before the question is answered, and when the answer has expired. */
  readonly token: string | null;
  /** Whether the widget has failed. It may try again by itself, and succeed. */
  readonly hasFailed: boolean;
}

/**
 * Draws the widget.
 *
 * @throws when the script does not come, such as offline or under a content blocker
 */
export async function drawCaptcha(
  siteKey: string,
  container: HTMLElement,
  onChange: (state: CaptchaState) => void,
): Promise<Widget> {
  const page = globalThis as { turnstile?: Turnstile };
  if (!page.turnstile) await loadScript(SCRIPT);
  const { turnstile } = page;
  if (!turnstile) throw new Error('Turnstile did not start');
  const widget = turnstile.render(container, {
    sitekey: siteKey,
    callback: (token: string) => onChange({ token, hasFailed: false }),
    'expired-callback': () => onChange({ token: null, hasFailed: false }),
    'error-callback': () => onChange(FAILED),
  });
  return { reset: () => turnstile.reset(widget), remove: () => turnstile.remove(widget) };
}

export const FAILED: CaptchaState = { token: null, hasFailed: true };
