/**
 * Loads the script of the CAPTCHA that the shop's auth service is set up for, and draws its widget. Source:
 * docs.hcaptcha.com/configuration and developers.cloudflare.com/turnstile/get-started/client-side-rendering.
 */
import { loadScript } from '../browser/load-script.ts';

/** The functions that both providers' scripts have under the same names. */
interface CaptchaApi {
  /** Returns the id of the widget. */
  render(container: HTMLElement, options: object): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

interface Provider {
  readonly script: string;
  /** The name under which the script puts its functions into `window`. */
  readonly global: 'hcaptcha' | 'turnstile';
}

const PROVIDERS: Readonly<Record<Provider['global'], Provider>> = {
  hcaptcha: { script: 'https://js.hcaptcha.com/1/api.js?render=explicit', global: 'hcaptcha' },
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
  },
};

/** hCaptcha defines its object a moment after its script has run, so the page looks for it repeatedly. */
const LOOK_EVERY_MS = 100;
const START_TIMEOUT_MS = 15_000;

export interface CaptchaSettings {
  readonly provider: Provider;
  readonly siteKey: string;
}

/** Null for a shop without a CAPTCHA. */
export function captchaSettings(
  name: Provider['global'] | '' | undefined,
  siteKey: string | undefined,
): CaptchaSettings | null {
  return name && siteKey ? { provider: PROVIDERS[name], siteKey } : null;
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
  { provider, siteKey }: CaptchaSettings,
  container: HTMLElement,
  onChange: (state: CaptchaState) => void,
): Promise<Widget> {
  const api = await apiOf(provider);
  const widget = api.render(container, {
    sitekey: siteKey,
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    callback: (token: string) => onChange({ token, hasFailed: false }),
    'expired-callback': () => onChange({ token: null, hasFailed: false }),
    'error-callback': () => onChange(FAILED),
  });
  return { reset: () => api.reset(widget), remove: () => api.remove(widget) };
}

export const FAILED: CaptchaState = { token: null, hasFailed: true };

async function apiOf({ script, global }: Provider): Promise<CaptchaApi> {
  const readApi = () => (globalThis as unknown as Record<string, CaptchaApi | undefined>)[global];
  if (!readApi()) await loadScript(script);
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += LOOK_EVERY_MS) {
    const api = readApi();
    if (api) return api;
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
  throw new Error(`${script} did not start`);
}
