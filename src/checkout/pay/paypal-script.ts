import type { PayPalWallet } from './paypal-wallet.tsx';
import { HAS_PAYPAL_STAND_IN } from '../settings.ts';

/** Where the shop of one machine serves what stands in for PayPal's SDK. */
const STAND_IN = '/local/paypal/sdk.js';

/**
 * Brings the part of the page that speaks to PayPal, when the wallet is chosen and not before.
 * PayPal's own SDK is then loaded by that part, unless `window.paypal` is there already.
 *
 * @throws when something of it does not arrive
 */
export async function loadWallet(): Promise<typeof PayPalWallet> {
  // The first condition is known to the build: nothing of the emulator is in a production one.
  if (import.meta.env.MODE === 'embedded' && HAS_PAYPAL_STAND_IN && !('paypal' in globalThis)) {
    await loadScript(STAND_IN);
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
