/** What a schedule has come to: what it broke, and counts. */

/**
 * What must hold, for every order and every payment.
 *
 * - `belongs`  money that was taken is on exactly one order that says so, or after a restore it is
 *              listed by after_restore, and never both
 * - `unpaid`   no order is paid without money
 * - `twice`    nothing is paid, taken or counted twice
 * - `asked`    nothing is paid again for the same lines without the shopper having been asked
 * - `sum`      the money is the sum of the paid orders and of what waits for a person, to the cent
 * - `cart`     what was bought leaves the cart once, and whatever else was done to it stays
 * - `moves`    an order moves along the allowed ways, and is otherwise what it was when it was placed
 * - `page`     no page says that something was paid, or was not, when the opposite is true
 * - `broken`   a function answers in words, whatever happens, and takes genuine messages
 * - `quiet`    once all is quiet and the reconcile has run, nothing is left open
 */
export type Rule =
  | 'belongs'
  | 'unpaid'
  | 'twice'
  | 'asked'
  | 'sum'
  | 'cart'
  | 'moves'
  | 'page'
  | 'broken'
  | 'quiet';

export interface Violation {
  readonly rule: Rule;
  readonly text: string;
}

export class Verdicts {
  readonly violations: Violation[] = [];
  readonly faults = new Map<string, number>();
  /** How orders ended, and how many of each. */
  readonly ends = new Map<string, number>();
  actions = 0;
  calls = 0;
  readonly #names = new Map<string, string>();
  readonly #log: ((line: string) => void) | null;

  /** @param log takes a readable account of everything that happens; null for none */
  constructor(log: ((line: string) => void) | null = null) {
    this.#log = log;
  }

  break(rule: Rule, text: string): void {
    this.violations.push({ rule, text });
    this.say(`VIOLATION of ${rule}: ${text}`);
  }

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  action(text: string): void {
    this.actions += 1;
    this.say(text);
  }

  say(text: string): void {
    this.#log?.(text.replace(ID, (id) => this.#nameOf(id)));
  }

  /** A short one, the same each time the schedule is told. */
  #nameOf(id: string): string {
    const kind = id.includes('_') ? 'page' : id.includes('-') ? 'order' : 'wallet';
    const name = this.#names.get(id) ?? `${kind}-${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

/** Orders of the shop, sessions of Stripe, orders and captures of PayPal. */
const ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\bcs_test_\w+|\b[A-Z\d]{17}\b/g;
