/** Random things that buyers, banks and the shop's staff do at the providers. */
import type { Chance } from '../kit/chance.ts';
import { type WeightedEvent, refundsAndDisputes } from './money-back.ts';
import type { World } from './world.ts';

/** Makes a buyer pay, a bank decide about a payment, or money go back. */
export async function changePayment(world: World, chance: Chance): Promise<void> {
  const { stripe, paypal } = world.providers;
  const tabs = world.facts.tabs.filter(({ isOpen }) => isOpen);
  // Now and then a buyer presses a button on a page that can no longer be paid.
  const isChosen = (isOpen: boolean) => isOpen || chance.happens(0.05);
  const payableSessions = tabs
    .flatMap((tab) => tab.checkoutSessions)
    .filter((id) => isChosen(stripe.checkouts.some((s) => s.id === id && s.status === 'open')));
  const payableOrders = tabs
    .flatMap((tab) => tab.paypalOrders)
    .filter((id) =>
      paypal.checkouts.some((o) => o.id === id && isChosen(o.status !== 'COMPLETED')),
    );
  const processing = stripe.checkouts.filter(({ payment }) => payment?.status === 'pending');
  const pending = paypal.checkouts.filter(({ payment }) => payment?.status === 'pending');
  const options: WeightedEvent[] = refundsAndDisputes(world.providers, chance);
  for (const id of payableSessions) {
    options.push([2, `pays ${id}`, () => stripe.pay(id)]);
    options.push([0.6, `pays ${id} later`, () => stripe.pay(id, 'pending')]);
  }
  for (const { id } of processing) {
    options.push([2, `${id} is settled`, () => stripe.settle(id)]);
    options.push([1, `${id} fails`, () => stripe.settle(id, 'failed')]);
  }
  for (const id of payableOrders) {
    options.push([2, `approves ${id}`, () => paypal.approve(id)]);
    for (const instrument of ['declined', 'pending', 'refused'] as const) {
      options.push([0.4, `approves ${id}: ${instrument}`, () => paypal.approve(id, instrument)]);
    }
  }
  for (const { id } of pending) {
    options.push([2, `${id} is completed`, () => paypal.settle(id)]);
    options.push([1, `${id} is denied`, () => paypal.settle(id, 'failed')]);
  }
  if (options.length === 0) return;
  const [text, action] = chance.weighted(
    options.map(([weight, text, action]) => [weight, [text, action]] as const),
  );
  world.providers.seedIds(text);
  world.verdicts.action(`${text}${action() ? '' : ', too late'}`);
}
