import { expect } from 'vitest';
import { AXE } from '../browser/axe.ts';
import { PASSWORD } from '../browser/shopper.ts';
import { callOf, type Tab, type TabElement } from './engine.ts';

/** The part of axe that `findByRole` uses. Source: axe-core's `doc/API.md` and `lib/commons`. */
interface Axe {
  setup(root: Element): void;
  teardown(): void;
  readonly commons: {
    readonly aria: { getRole(element: Element): string | null };
    readonly dom: { isVisibleToScreenReaders(element: Element): boolean };
    readonly text: { accessibleText(element: Element): string };
  };
}

/** A person in a tab, who finds things by role and name as a screen reader does. */
export class Visitor {
  readonly tab: Tab;
  readonly #origin: string;

  constructor(tab: Tab, origin: string) {
    this.tab = tab;
    this.#origin = origin;
  }

  goto(path: string): Promise<void> {
    return this.tab.goto(this.#origin + path);
  }

  /** Waits for an element with this role and name. */
  async find(role: string, name: string | RegExp): Promise<TabElement> {
    let element: TabElement | null = null;
    const isThere = async () => {
      element = await this.#findNow(role, name);
      return element !== null;
    };
    await expect.poll(isThere, { message: `${role} "${String(name)}"` }).toBe(true);
    return element as unknown as TabElement; // the poll has waited for it
  }

  async click(role: string, name: string | RegExp): Promise<void> {
    const element = await this.find(role, name);
    try {
      await element.click();
    } catch (error) {
      // React has replaced the element meanwhile, or a View Transition is running, during which WebKit ignores
      // taps. Each driver has its own message.
      if (!/detached|NotInteractable/.test(String(error))) throw error;
      await this.tab.evaluate(
        'Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => true)',
      );
      await (await this.find(role, name)).click();
    }
  }

  async type(name: string | RegExp, text: string, role = 'textbox'): Promise<void> {
    await (await this.find(role, name)).type(text);
  }

  /** Opens the catalogue and waits until it says that it shows this number of products. */
  async openCatalogue(products: number): Promise<void> {
    await this.goto('/');
    await this.waitForProducts(products);
  }

  async waitForProducts(count: number): Promise<void> {
    await this.waitFor(`${count.toLocaleString('en-US')} product${count === 1 ? '' : 's'}`);
  }

  /** Waits until the service worker has everything it needs to open the shop alone. */
  async waitForWorker(): Promise<void> {
    await this.tab.evaluate('navigator.serviceWorker.ready.then(() => true)');
  }

  /** Logs in on the login page, which leads to the page at `next`. */
  async logIn(email: string, next = '/'): Promise<void> {
    await this.goto(`/login?next=${encodeURIComponent(next)}`);
    await this.typeCredentials(email);
  }

  /** Types email and password into the form of this page, and submits it. */
  async typeCredentials(email: string): Promise<void> {
    await this.type('Email', email);
    await this.type('Password', PASSWORD);
    await this.tab.pressEnter();
  }

  /** Logs out, and confirms it if the shop asks because changes are not saved yet. */
  async logOut(): Promise<void> {
    // The button bears the shopper's email address, or "Account" where there is none.
    await this.click('button', /@|^Account$/);
    await this.click('button', 'Logout');
    const confirmAndCheck = async () => {
      await (await this.#findNow('button', 'Log out'))?.click();
      return (await this.#findNow('link', 'Login')) !== null;
    };
    await expect.poll(confirmAndCheck).toBe(true);
    // The header forgets the shopper before the device does. A page that is left in between is signed in again.
    await this.waitFor('You’re logged out.');
  }

  async fillAddress(): Promise<void> {
    await this.type(/^Full name/, 'Ada Weaver');
    await this.type(/^Address/, '1 Mill Lane');
    await this.type(/^City/, 'Chicago');
    await this.type(/^State/, 'il');
    await this.type(/^ZIP/, '60614');
  }

  /** Waits until the header says that `count` pieces are in the cart. */
  async waitForCartCount(count: number): Promise<void> {
    await this.find('link', count === 0 ? 'Cart' : `Cart, ${count}`);
  }

  /** What the page shows and has loaded, for the log of a failed test. */
  report(): Promise<string> {
    return this.tab.evaluate(`JSON.stringify({
      address: location.href,
      readyState: document.readyState,
      worker: navigator.serviceWorker?.controller?.state ?? 'none',
      text: document.body.innerText,
      html: document.getElementById('root')?.innerHTML.slice(0, 300) ?? 'none',
      visibility: document.visibilityState,
      loaded: performance.getEntriesByType('resource').map(({ name, duration }) =>
        Math.round(duration) + ' ms ' + name),
    }, null, 1)`);
  }

  /** Axe's findings about the page in its present state. */
  async axeFindings(): Promise<string[]> {
    await this.#loadAxe();
    return this.tab.evaluate(
      `axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    );
  }

  /** Waits until the page shows a text. */
  async waitFor(text: string): Promise<void> {
    await expect.poll(() => this.text()).toContain(text);
  }

  /** All text that the page shows. */
  text(): Promise<string> {
    return this.tab.evaluate('document.body.innerText');
  }

  async #findNow(role: string, name: string | RegExp): Promise<TabElement | null> {
    await this.#loadAxe();
    const isText = typeof name === 'string';
    return this.tab.element(
      callOf(findByRole, role, isText ? name : null, isText ? '' : name.source),
    );
  }

  async #loadAxe(): Promise<void> {
    const isThere = await this.tab.evaluate<boolean>('"axe" in window');
    if (!isThere) await this.tab.evaluate(`(() => { ${AXE} })()`);
  }
}

/** Runs in the page: the first enabled element. @param name the whole name, or null to match `pattern` instead */
function findByRole(role: string, name: string | null, pattern: string): Element | null {
  const isMatch = (text: string) =>
    name === null ? new RegExp(pattern).test(text) : text === name;
  const { axe } = window as unknown as { axe: Axe };
  axe.setup(document.documentElement);
  try {
    const { aria, dom, text } = axe.commons;
    /** Also those in shadow roots, such as PayPal's window. */
    const elementsIn = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        element,
        ...(element.shadowRoot ? elementsIn(element.shadowRoot) : []),
      ]);
    const match = elementsIn(document.body).find(
      (element) =>
        aria.getRole(element) === role &&
        !element.matches(':disabled') &&
        dom.isVisibleToScreenReaders(element) &&
        isMatch(text.accessibleText(element)),
    );
    return match ?? null;
  } finally {
    axe.teardown();
  }
}
