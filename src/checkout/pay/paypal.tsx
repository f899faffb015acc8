import { useEffect, useEffectEvent, useState } from 'react';
import { loadScript } from '../../browser/load-script.ts';
import { notify } from '../../ui/notices.ts';
import { HAS_PAYPAL_EMULATOR, PAYPAL_CLIENT_ID } from '../settings.ts';
import { errorMessage } from './error-message.ts';
import type { PayPalProps, PayPalWallet, PayPalWalletProps } from './paypal-wallet.tsx';

/** The button that pays with PayPal, once the scripts for it have arrived. */
export function PayPal(props: PayPalProps) {
  const [hasFailed, setFailed] = useState(false);
  const [buttonRef] = useState(focusPasser);
  const { payment } = props;

  function fail(): void {
    setFailed(true);
    notify('alert', 'Could not load PayPal. Please try again.');
    if (PAYPAL_CLIENT_ID === '') payment.show(errorMessage(NOT_HERE));
  }

  if (!hasFailed) return <Loading {...props} buttonRef={buttonRef} onFail={fail} />;
  return (
    // A press mounts `Loading` anew, which loads again what failed.
    <button ref={buttonRef} type="button" className="button" onClick={() => setFailed(false)}>
      Load PayPal again
    </button>
  );
}

const NOT_HERE = 'PayPal isn’t available right now. You can pay by card.';

/**
 * Makes a ref for the buttons that take each other's place here. When React replaces a button that has the focus, the
 * next button gets it. React calls the returned function just before it removes the button.
 */
function focusPasser() {
  let hadFocus = false;
  return (button: HTMLButtonElement | null) => {
    if (hadFocus) button?.focus();
    return () => {
      hadFocus = button === document.activeElement;
    };
  };
}

function Loading({ buttonRef, onFail, ...props }: PayPalWalletProps) {
  /** In an object, because `useState` would call a function that is given as a state. */
  const [wallet, setWallet] = useState<{ readonly Wallet: typeof PayPalWallet } | null>(null);
  const fail = useEffectEvent(onFail);

  useEffect(() => {
    let isGone = false;
    async function load(): Promise<void> {
      const Wallet = PAYPAL_CLIENT_ID === '' ? null : await loadWallet().catch(() => null);
      if (isGone) return;
      if (Wallet) setWallet({ Wallet });
      else fail();
    }
    void load();
    return () => {
      isGone = true;
    };
  }, []);

  if (wallet) return <wallet.Wallet {...props} buttonRef={buttonRef} onFail={onFail} />;
  return (
    <button ref={buttonRef} type="button" className="button" aria-disabled>
      Loading PayPal...
    </button>
  );
}

/** Where the local host serves the emulator of PayPal's SDK. */
const EMULATOR = '/local/paypal/sdk.js';

/**
 * Loads the component that talks to PayPal, once the shopper has chosen PayPal. The component then
 * loads PayPal's own SDK, unless `window.paypal` exists.
 *
 * @throws when one of the scripts does not arrive
 */
async function loadWallet(): Promise<typeof PayPalWallet> {
  // The first condition is known when the site is built, so what Netlify builds leaves this branch out.
  if (import.meta.env.MODE === 'embedded' && HAS_PAYPAL_EMULATOR && !('paypal' in globalThis)) {
    await loadScript(EMULATOR);
  }
  return (await import('./paypal-wallet.tsx')).PayPalWallet;
}
