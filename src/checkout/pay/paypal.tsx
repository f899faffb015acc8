import { useEffect, useEffectEvent, useState } from 'react';
import { notify } from '../../ui/notices.ts';
import { loadWallet } from './paypal-script.ts';
import { PAYPAL_CLIENT_ID } from '../settings.ts';
import { errorMessage } from './error-message.ts';
import type { PayPalProps } from './paypal-wallet.tsx';

/** The button that pays with PayPal, once the scripts for it have arrived. */
export function PayPal(props: PayPalProps) {
  // Each try mounts the component anew, so that it loads again what failed.
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<'trying' | 'failed'>('trying');
  const { payment } = props;

  function fail(): void {
    setState('failed');
    notify('alert', 'Could not load PayPal. Please try again.');
    if (PAYPAL_CLIENT_ID === '') payment.show(errorMessage(NOT_HERE));
  }

  if (state === 'trying') return <Loading key={tries} {...props} onFail={fail} />;
  return (
    <button
      type="button"
      className="button"
      onClick={() => {
        setTries(tries + 1);
        setState('trying');
      }}
    >
      Load PayPal again
    </button>
  );
}

const NOT_HERE = 'This shop cannot take PayPal at the moment. You can pay by card.';

type Wallet = Awaited<ReturnType<typeof loadWallet>>;

function Loading({ onFail, ...props }: PayPalProps & { readonly onFail: () => void }) {
  /** In an object, because React would call a function that it is given as a state. */
  const [wallet, setWallet] = useState<{ readonly Wallet: Wallet } | null>(null);
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

  if (wallet) return <wallet.Wallet {...props} onFail={onFail} />;
  return (
    <button type="button" className="button" aria-disabled>
      Loading PayPal...
    </button>
  );
}
