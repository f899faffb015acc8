/**
 * What a shopper does on the screen of one tab, through the mutations that its buttons call. Checks
 * invariant 7: a tap takes effect or the page shows a sentence within a second, and no tap fails without a
 * sentence.
 */
import { MAX_LINE_QUANTITY } from '../../../src/domain/cart.ts';
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { Environment } from './environment.ts';
import { quantityOf } from './fold.ts';
import type { PageModules } from './page-bundle.ts';
import type { Tab } from './tab.ts';

const MAX_ANSWER_MS = 1000;
const MAX_OPEN_MS = 8000;

/** The buttons of a product's card and of the cart. */
type Button = 'add' | 'plus' | 'minus' | 'remove' | 'clear' | 'heart';

export class Taps {
  #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Presses a button; nothing happens where the page shows no such button for this product. */
  async press(tab: Tab, button: Button, productId: number): Promise<void> {
    const page = tab.modules;
    const view = page?.shopperStore.snapshot();
    if (!page || !view) return;
    const quantity = quantityOf(view.data, productId);
    if (quantity === 0 && (button === 'plus' || button === 'minus' || button === 'remove')) return;
    const by = button === 'add' || button === 'plus' ? 1 : button === 'minus' ? -1 : 0;
    const difference = { productId, by };
    // At the largest quantity `+` changes nothing; above it, `-` leads to the largest.
    if (by !== 0 && quantity < MAX_LINE_QUANTITY) tab.expectedDifferences.push(difference);
    const { uid } = view.shopper;
    for (const action of possibleActions(button, productId, view.data.cart)) {
      tab.phone.unmatchedTaps.add(uid, action);
    }
    await this.#expectAnswer(tab, `${button} ${productId}`, () => {
      return callMutation(page, button, productId, view);
    });
    // A tap that has stored no change has left it there.
    const index = tab.expectedDifferences.indexOf(difference);
    if (index >= 0) tab.expectedDifferences.splice(index, 1);
  }

  /** Makes several changes at once, some of which no button of the page makes. */
  async makeChanges(tab: Tab, actions: readonly ChangeAction[]): Promise<void> {
    const page = tab.modules;
    if (!page) return;
    const storedBefore = tab.phone.changes.length;
    const { uid } = page.shopperStore.snapshot()?.shopper ?? {};
    for (const action of actions) {
      tab.phone.unmatchedTaps.add(uid, action);
      const { kind, args } = action;
      if (kind === 'cart.set') tab.expectedDifferences.push({ productId: args.productId, by: 0 });
    }
    let outcome: string | null = null;
    try {
      outcome = await page.change(actions);
    } catch (error) {
      this.#reportSilentError(tab, 'a change', error);
    }
    if (outcome !== 'done' || tab.isDead || actions.length === 0) return;
    if (tab.phone.changes.length === storedBefore) {
      this.#environment.verdicts.break(
        1,
        `a change in ${tab.name} is answered with "done", and nothing is stored`,
      );
    }
  }

  /**
   * Logs in as the form of a login does. Returns whether the shopper has logged in.
   *
   * @param id of the tap whose alert has opened the form; null for a form that was opened otherwise
   */
  async signIn(tab: Tab, uid: string, id: string | null = null): Promise<boolean> {
    const email = `${uid}@weft.test`;
    const page = tab.modules;
    try {
      const answer = await page?.sendFor(id, email, () => page.signIn(email, 'a password'));
      return answer?.ok === true;
    } catch (error) {
      this.#reportSilentError(tab, 'a login', error);
      return false;
    }
  }

  /** Returns whether the shopper's data are removed from the phone. */
  async logOut(tab: Tab): Promise<boolean> {
    try {
      return (await tab.modules?.logOut()) === true;
    } catch (error) {
      this.#reportSilentError(tab, 'a logout', error);
      return false;
    }
  }

  /** Expects that a new tab shows the shop in time, whatever other tabs do. */
  expectOpen(tab: Tab): void {
    const { clock, verdicts } = this.#environment;
    const checkOpen = () => {
      if (tab.isOpen || tab.isDead) return;
      verdicts.break(7, `${tab.name} does not open within ${MAX_OPEN_MS / 1000} s`);
    };
    clock.after(MAX_OPEN_MS, checkOpen, tab);
  }

  /** @param what the tap, for the text of a violation */
  async #expectAnswer(tab: Tab, what: string, run: () => Promise<unknown>): Promise<void> {
    const { clock, verdicts } = this.#environment;
    const { noticeCount } = tab;
    let isAnswered = false;
    const checkAnswer = () => {
      if (isAnswered || tab.isDead || tab.noticeCount !== noticeCount) return;
      // A tab that was frozen has not had the whole second.
      if (clock.nowMs - tab.awakeSinceMs < MAX_ANSWER_MS) return;
      verdicts.break(7, `${what} in ${tab.name} is not answered within ${MAX_ANSWER_MS} ms`);
    };
    clock.after(MAX_ANSWER_MS + 1, checkAnswer, tab);
    try {
      await run();
    } catch (error) {
      if (tab.noticeCount === noticeCount) this.#reportSilentError(tab, what, error);
    }
    isAnswered = true;
  }

  /** An error of which the page has told the shopper nothing. */
  #reportSilentError(tab: Tab, what: string, error: unknown): void {
    if (tab.isDead) return;
    const name = error instanceof Error ? error.name : String(error);
    this.#environment.verdicts.break(7, `${what} in ${tab.name} fails without a sentence: ${name}`);
  }
}

/** The changes that a press of this button may store. */
function possibleActions(
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

function callMutation(
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
      return page.setFavourite(productId, `Product ${productId}`, !favourites.includes(productId));
  }
}
