/**
 * What a person does on the screen of one tab, through the mutations that its buttons call; and the
 * oracle of it: each tap is answered within a second, by its effect or by words, and never ends in
 * an error that the shopper does not see.
 */
import { MAX_LINE_QUANTITY } from '../../../src/domain/cart.ts';
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { Environment } from './environment.ts';
import { quantityOf } from './fold.ts';
import type { PageModules } from './page-bundle.ts';
import type { Tab } from './tab.ts';

const ANSWER_MS = 1000;
const OPEN_MS = 8000;

type Button = 'add' | 'plus' | 'minus' | 'remove' | 'clear' | 'heart';

export class Taps {
  #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** A button of the cart, a card or a heart. */
  async press(tab: Tab, button: Button, productId: number): Promise<void> {
    const page = tab.modules;
    const view = page?.shopperStore.snapshot();
    if (!page || !view) return;
    const quantity = quantityOf(view.data, productId);
    if (quantity === 0 && (button === 'plus' || button === 'minus' || button === 'remove')) return;
    const by = button === 'add' || button === 'plus' ? 1 : button === 'minus' ? -1 : 0;
    const meant = { productId, by };
    // Above what can be ordered, one less is the most that can.
    if (by !== 0 && quantity < MAX_LINE_QUANTITY) tab.meant.push(meant);
    const { uid } = view.shopper;
    for (const action of asked(button, productId, view.data.cart)) tab.phone.asked.add(uid, action);
    await this.#answered(tab, `${button} ${productId}`, () => {
      return call(page, button, productId, view);
    });
    const at = tab.meant.indexOf(meant);
    if (at >= 0) tab.meant.splice(at, 1);
  }

  /** Several changes at once, or such as no button makes. */
  async change(tab: Tab, actions: readonly ChangeAction[]): Promise<void> {
    const page = tab.modules;
    if (!page) return;
    const known = tab.phone.made.length;
    const { uid } = page.shopperStore.snapshot()?.shopper ?? {};
    for (const action of actions) {
      tab.phone.asked.add(uid, action);
      const { kind, args } = action;
      if (kind === 'cart.set') tab.meant.push({ productId: args.productId, by: 0 });
    }
    let outcome: string | null = null;
    try {
      outcome = await page.change(actions);
    } catch (error) {
      this.#silent(tab, 'a change', error);
    }
    if (outcome !== 'done' || tab.isDead || actions.length === 0) return;
    const isDurable = tab.phone.made.length > known;
    if (!isDurable) {
      this.#environment.verdicts.break(
        1,
        `a change in ${tab.name} says done, and nothing is stored`,
      );
    }
  }

  /** Returns whether the shopper has logged in. */
  async signIn(tab: Tab, uid: string): Promise<boolean> {
    try {
      const answer = await tab.modules?.signIn(`${uid}@weft.test`, 'a password');
      return answer?.ok === true;
    } catch (error) {
      this.#silent(tab, 'a login', error);
      return false;
    }
  }

  /** Whether the shopper is gone from the phone. */
  async logOut(tab: Tab): Promise<boolean> {
    try {
      return (await tab.modules?.logOut()) === true;
    } catch (error) {
      this.#silent(tab, 'a logout', error);
      return false;
    }
  }

  /** The shop shows what it has within this time, whatever other tabs do. */
  expectOpen(tab: Tab): void {
    const { clock, verdicts } = this.#environment;
    const late = () => {
      if (tab.isOpen || tab.isDead) return;
      verdicts.break(7, `${tab.name} does not open within ${OPEN_MS / 1000} s`);
    };
    clock.after(OPEN_MS, late, tab);
  }

  async #answered(tab: Tab, what: string, run: () => Promise<unknown>): Promise<void> {
    const { clock, verdicts } = this.#environment;
    const { notices } = tab;
    let isAnswered = false;
    const late = () => {
      // Frozen meanwhile, it had no second.
      if (isAnswered || tab.isDead || tab.notices !== notices) return;
      if (clock.nowMs - tab.awakeSinceMs < ANSWER_MS) return;
      verdicts.break(7, `${what} in ${tab.name} is not answered within ${ANSWER_MS} ms`);
    };
    clock.after(ANSWER_MS + 1, late, tab);
    try {
      await run();
    } catch (error) {
      if (tab.notices === notices) this.#silent(tab, what, error);
    }
    isAnswered = true;
  }

  #silent(tab: Tab, what: string, error: unknown): void {
    if (tab.isDead) return;
    const name = error instanceof Error ? error.name : String(error);
    this.#environment.verdicts.break(7, `${what} in ${tab.name} ends in silence: ${name}`);
  }
}

/** The changes that a button may make. */
function asked(
  button: Button,
  productId: number,
  cart: readonly { readonly productId: number; readonly quantity: number }[],
): readonly ChangeAction[] {
  switch (button) {
    case 'add':
    case 'plus':
      return [{ kind: 'cart.add', args: { productId, by: 1 } }];
    case 'minus':
      return [{ kind: 'cart.reduce', args: { productId, by: 1 } }];
    case 'remove':
      return [{ kind: 'cart.remove', args: { productId } }];
    case 'clear':
      return [
        { kind: 'cart.clear', args: {} },
        ...cart.map((line): ChangeAction => {
          return { kind: 'cart.remove', args: { productId: line.productId } };
        }),
      ];
    case 'heart':
      return [{ kind: 'favourite.add', args: { productId } }];
  }
}

function call(
  page: PageModules,
  button: Button,
  productId: number,
  view: NonNullable<ReturnType<PageModules['shopperStore']['snapshot']>>,
): Promise<unknown> {
  const { cart, favourites } = view.data;
  const line = { productId, quantity: quantityOf(view.data, productId), priceWhenAdded: null };
  switch (button) {
    case 'add':
      return page.addToCart(productId, `Product ${productId}`);
    case 'plus':
      return page.changeQuantity(productId, 1);
    case 'minus':
      return page.changeQuantity(productId, -1);
    case 'remove':
      return page.removeLine(line, `Product ${productId}`);
    case 'clear':
      return page.clearCart(cart, view.isKnown);
    case 'heart':
      return page.setFavourite(productId, !favourites.includes(productId));
  }
}
