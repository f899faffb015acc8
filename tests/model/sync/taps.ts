/**
 * What a shopper does on the screen of one tab, through the mutations that its buttons call. Checks
 * invariant 7: a tap takes effect or the page shows a sentence within a second, and no tap fails without a
 * sentence.
 */
import type { ChangeAction } from '../../../src/domain/change.ts';
import type { Environment } from './environment.ts';
import { quantityOf } from './fold.ts';
import type { PageModules } from './page-bundle.ts';
import { DEVICE } from './phone-storage.ts';
import type { Tab } from './tab.ts';

const MAX_ANSWER_MS = 1000;
const MAX_OPEN_MS = 8000;

/** The buttons of a product's card and of the cart. */
type Button = 'add' | 'plus' | 'minus' | 'remove' | 'clear' | 'heart';

/** What the screens of a tab show of a shopper. */
type View = NonNullable<ReturnType<PageModules['shopperStore']['snapshot']>>;

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
    const { actions, run } = pressOf(page, button, productId, view);
    const { uid } = view.shopper;
    for (const action of actions) tab.phone.unmatchedTaps.add(uid, action);
    await this.#expectAnswer(tab, `${button} ${productId}`, run);
  }

  /** Makes several changes at once, some of which no button of the page makes. */
  async makeChanges(tab: Tab, actions: readonly ChangeAction[]): Promise<void> {
    const page = tab.modules;
    if (!page) return;
    const storedBefore = tab.phone.changes.length;
    const { uid } = page.shopperStore.snapshot()?.shopper ?? {};
    for (const action of actions) tab.phone.unmatchedTaps.add(uid, action);
    let outcome: string | null = null;
    try {
      outcome = await page.enqueue(actions);
    } catch (error) {
      this.#reportSilentError(tab, 'a change', error);
    }
    if (outcome !== 'done' || tab.isDead || actions.length === 0) return;
    const { oracle, verdicts } = this.#environment;
    const stored = tab.phone.changes.slice(storedBefore);
    const text = `a change in ${tab.name} is answered with "done"`;
    if (stored.length === 0) verdicts.break(1, `${text}, and nothing is stored`);
    if (tab.kept !== 'memory') return;
    // Another page may have moved a tap that this one left in localStorage to the device, where it is durable.
    const { everInLocalStorage } = tab.phone;
    const kept = stored.filter(({ uid: owner, id, database }) =>
      database === tab.name
        ? oracle.applied(owner, id) || oracle.isLost(owner, id)
        : database === DEVICE && everInLocalStorage.has(id),
    );
    if (kept.length < actions.length)
      verdicts.break(9, `${text}, and neither server nor device has it`);
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
      const answer = await page?.sendWithDeferred(id, email, () =>
        page.signIn(email, 'a password'),
      );
      return answer?.ok === true;
    } catch (error) {
      this.#reportSilentError(tab, 'a login', error);
      return false;
    }
  }

  /** Returns whether the shopper's data are removed from the phone. */
  async logOut(tab: Tab, uid: string): Promise<boolean> {
    try {
      return (await tab.modules?.logOut(uid)) === true;
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

  /** Runs a tap and checks its answer. @param what the tap, for the text of a violation */
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

/** What a press of a button does. */
interface Press {
  /** The changes that it may store. */
  readonly actions: readonly ChangeAction[];
  /** Calls the mutation. */
  readonly run: () => Promise<unknown>;
}

function pressOf(page: PageModules, button: Button, productId: number, view: View): Press {
  const { cart, favourites } = view.data;
  const name = `Product ${productId}`;
  const line = { productId, quantity: quantityOf(view.data, productId), priceWhenAdded: null };
  const add: ChangeAction = { kind: 'cart.add', args: { productId, by: 1 } };
  const reduce: ChangeAction = { kind: 'cart.reduce', args: { productId, by: 1 } };
  const removalOf = (id: number): ChangeAction => {
    return { kind: 'cart.remove', args: { productId: id } };
  };
  const heart: ChangeAction = { kind: 'favourite.add', args: { productId } };
  const removals = cart.map((each) => removalOf(each.productId));
  switch (button) {
    case 'add':
      return { actions: [add], run: () => page.addToCart(productId, name) };
    case 'plus':
      return { actions: [add], run: () => page.changeQuantity(productId, 1) };
    case 'minus':
      return { actions: [reduce], run: () => page.changeQuantity(productId, -1) };
    case 'remove':
      return { actions: [removalOf(productId)], run: () => page.removeLine(line, name) };
    case 'clear': {
      const actions: ChangeAction[] = [{ kind: 'cart.clear', args: {} }, ...removals];
      return { actions, run: () => page.clearCart(cart, { isWhole: view.isKnown }) };
    }
    case 'heart': {
      const isLiked = !favourites.includes(productId);
      return { actions: [heart], run: () => page.setFavourite(productId, name, isLiked) };
    }
  }
}
