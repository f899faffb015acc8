/**
 * Stripe.js watches for fraud on the page that leads to Stripe's. Nothing else needs it, so a
 * script that does not come is no reason not to pay.
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
