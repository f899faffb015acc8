/** What buyers, banks and the shop's people do at the providers, at random. */
import type { Chance } from '../kit/chance.ts';
import { type Happening, happenings } from './money-back.ts';
import type { World } from './world.ts';

/** The buyer, the bank or the shop decides about a payment. */
export async function pay(world: World, chance: Chance): Promise<void> {
  const { stripe, paypal } = world.providers;
  const tabs = world.facts.tabs.filter(({ isOpen }) => isOpen);
  // Mostly what can still be paid; now and then a button of a page that is over.
  const isWorthIt = (isOpen: boolean) => isOpen || chance.happens(0.05);
  const cards = tabs
    .flatMap((tab) => tab.cards)
    .filter((id) => isWorthIt(stripe.sessions.some((s) => s.id === id && s.status === 'open')));
  const wallets = tabs
    .flatMap((tab) => tab.wallets)
    .filter((id) => paypal.orders.some((o) => o.id === id && isWorthIt(o.status !== 'COMPLETED')));
  const late = stripe.sessions.filter(({ intent }) => intent?.status === 'processing');
  const pending = paypal.orders.filter(({ capture }) => capture?.status === 'PENDING');
  const options: Happening[] = happenings(world.providers, chance);
  for (const id of cards) {
    options.push([2, `pays ${id}`, () => stripe.pay(id)]);
    options.push([0.6, `pays ${id} later`, () => stripe.payLater(id)]);
  }
  for (const { id } of late) {
    options.push([2, `${id} is settled`, () => stripe.settle(id)]);
    options.push([1, `${id} fails`, () => stripe.fail(id)]);
  }
  for (const id of wallets) {
    options.push([2, `approves ${id}`, () => paypal.approve(id)]);
    for (const instrument of ['declined', 'pending', 'refused'] as const) {
      options.push([0.4, `approves ${id}: ${instrument}`, () => paypal.approve(id, instrument)]);
    }
  }
  for (const { id } of pending) {
    options.push([2, `${id} is completed`, () => paypal.settle(id)]);
    options.push([1, `${id} is denied`, () => paypal.deny(id)]);
  }
  if (options.length === 0) return;
  const [what, action] = chance.weighted(
    options.map(([weight, what, action]) => [weight, [what, action]] as const),
  );
  world.providers.named(what);
  world.parts.verdicts.action(`${what}${action() ? '' : ', too late'}`);
}
