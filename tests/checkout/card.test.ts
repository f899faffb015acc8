/** Which payment page the shop's answer may lead to. */
import { expect, test, vi } from 'vitest';
import { payByCard } from '../../src/checkout/pay/card.ts';
import type { Payment } from '../../src/checkout/pay/use-payment.ts';
import type { CheckoutRemote } from '../../src/remote/checkout.ts';
import { noticeStore } from '../../src/ui/notices.ts';

/** Presses Pay where the shop answers with this address. Returns the page that opens; null for none. */
async function pageOpenedFor(url: string): Promise<string | null> {
  let opened: string | null = null;
  vi.stubGlobal('location', { assign: (href: string) => (opened = href) });
  const payment = {
    check: () => ({}),
    begin: async () => ({ orderId: '1', value: { url } }),
    finish: () => undefined,
  };
  await payByCard(payment as unknown as Payment, {} as CheckoutRemote);
  return opened;
}

test('a card is paid on the page that the shop names', async () => {
  const url = 'https://checkout.stripe.com/c/pay/cs_1';
  expect(await pageOpenedFor(url)).toBe(url);
});

test.each(['none', '/cart', 'javascript:alert("https://")'])(
  'the checkout does not open %s, and says that there is no payment page',
  async (url) => {
    expect(await pageOpenedFor(url)).toBe(null);
    expect(noticeStore.snapshot()?.text).toBe('Stripe error: there is no payment page.');
  },
);
