/** What the policies and the host's rules take from the settings of the build. */
import type { ReadVariable } from '../lib/env.ts';

export interface PolicySettings {
  /** The backend's origins, for HTTP and websockets; none where it is the shop's own. */
  readonly backend: readonly string[];
  /** Origins of the CAPTCHA's script and frame; none in a shop without one. */
  readonly captcha: readonly string[];
  /** Origins of the payment providers' emulators; none in a shop on the web. */
  readonly paymentEmulators: readonly string[];
}

/** Source: developers.cloudflare.com/turnstile, "Content Security Policy". */
const TURNSTILE = ['https://challenges.cloudflare.com'];

/** Each emulator listens on any free port. */
const EMULATORS = ['http://127.0.0.1:*'];

/**
 * @param backendUrl the Supabase project's address; null where the backend is embedded
 * @throws Error with a sentence for the person who builds the shop
 */
export function policySettings(read: ReadVariable, backendUrl: string | null): PolicySettings {
  return {
    backend: backendUrl === null ? embeddedBackend(read) : hostedBackend(backendUrl),
    captcha: read('VITE_TURNSTILE_SITE_KEY') ? TURNSTILE : [],
    paymentEmulators: backendUrl === null ? EMULATORS : [],
  };
}

/** None, because the shop's own origin serves the embedded backend; tests (WEFT_SECOND_ORIGIN) use another one. */
function embeddedBackend(read: ReadVariable): readonly string[] {
  return read('WEFT_SECOND_ORIGIN') ? ['http://127.0.0.1:*', 'ws://127.0.0.1:*'] : [];
}

function hostedBackend(backendUrl: string): readonly string[] {
  // vite.config.ts stops a build without an address, with a message of its own.
  if (backendUrl === '') return [];
  const url = URL.parse(backendUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `VITE_SUPABASE_URL is "${backendUrl}", which is no address. Set it to the project's URL, ` +
        'e.g. https://abcdefgh.supabase.co; .env.example says where to find it.',
    );
  }
  return [url.origin, url.origin.replace(/^http/, 'ws')];
}
