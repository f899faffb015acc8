/**
 * Loads Stripe.js, which looks for signs of fraud on the page before Stripe's own. Nothing else needs
 * it, so a failed download does not prevent a payment.
 */
export function loadFraudSignals(publishableKey: string): void {
  if (publishableKey === '') return;
  void load(publishableKey).catch(() => undefined);
}

async function load(publishableKey: string): Promise<void> {
  // `/pure`: the main entry would insert its script wherever it is imported.
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  await loadStripe(publishableKey);
}
