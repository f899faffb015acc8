import type { PayPalWallet } from './paypal-wallet.tsx';
import { HAS_PAYPAL_EMULATOR } from '../settings.ts';

/** The local host serves the emulator of PayPal's SDK here. */
const EMULATOR = '/local/paypal/sdk.js';

/**
 * Loads the component that talks to PayPal, once the shopper has chosen PayPal. The component then
 * loads PayPal's own SDK, unless `window.paypal` exists.
 *
 * @throws when one of the scripts does not arrive
 */
export async function loadWallet(): Promise<typeof PayPalWallet> {
  // The first condition is known when the site is built, so what Netlify builds leaves this branch out.
  if (import.meta.env.MODE === 'embedded' && HAS_PAYPAL_EMULATOR && !('paypal' in globalThis)) {
    await loadScript(EMULATOR);
  }
  return (await import('./paypal-wallet.tsx')).PayPalWallet;
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`${src} did not arrive`));
    });
    document.head.append(script);
  });
}
