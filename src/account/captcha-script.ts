/**
 * Loads the script of the CAPTCHA that the shop's auth service is set up for, and draws its widget. Source:
 * docs.hcaptcha.com/configuration and developers.cloudflare.com/turnstile/get-started/client-side-rendering.
 */

/** What the scripts of both providers offer under the same names. */
interface CaptchaApi {
  render(place: HTMLElement, options: object): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

interface Provider {
  readonly script: string;
  /** The name of its object in `window`. */
  readonly global: 'hcaptcha' | 'turnstile';
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  hcaptcha: { script: 'https://js.hcaptcha.com/1/api.js?render=explicit', global: 'hcaptcha' },
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
  },
};

/** How often to look for the provider's object: hCaptcha defines it a moment after its script has run. */
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 15_000;

export interface CaptchaSettings {
  readonly provider: Provider;
  readonly siteKey: string;
}

/** Null where the shop has none. @throws Error for a provider that is not known */
export function captchaSettings(
  name: string | undefined,
  siteKey: string | undefined,
): CaptchaSettings | null {
  if (!name || !siteKey) return null;
  const provider = PROVIDERS[name];
  if (!provider) throw new Error(`VITE_CAPTCHA_PROVIDER must be hcaptcha or turnstile: ${name}`);
  return { provider, siteKey };
}

export interface Widget {
  /** Shows the question anew, because a token is good for one attempt. */
  reset(): void;
  remove(): void;
}

/**
 * Draws the widget.
 *
 * @param onToken gets the token, or null when it has expired
 * @throws when the script does not come, such as offline or under a content blocker
 */
export async function drawCaptcha(
  { provider, siteKey }: CaptchaSettings,
  place: HTMLElement,
  onToken: (token: string | null) => void,
  onError: () => void,
): Promise<Widget> {
  const api = await apiOf(provider);
  const widget = api.render(place, {
    sitekey: siteKey,
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    callback: (token: string) => onToken(token),
    'expired-callback': () => onToken(null),
    'error-callback': () => {
      onToken(null);
      onError();
    },
  });
  return { reset: () => api.reset(widget), remove: () => api.remove(widget) };
}

async function apiOf({ script, global }: Provider): Promise<CaptchaApi> {
  const present = () => (globalThis as unknown as Record<string, CaptchaApi | undefined>)[global];
  if (!present()) await loadScript(script);
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    const api = present();
    if (api) return api;
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
  throw new Error(`${script} did not start`);
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} did not load`));
    };
    document.head.append(script);
  });
}
