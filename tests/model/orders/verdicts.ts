import { Verdicts } from '../kit/verdicts.ts';

/**
 * The invariants: what must hold for every order and every payment.
 *
 * - `belongs`  money that was taken is on exactly one order that says so, to the cent
 * - `unpaid`   no order is paid without money
 * - `twice`    nothing is paid, taken or counted twice
 * - `asked`    no shopper pays the same lines again without having been asked
 * - `sum`      the lines of an order add up to its total
 * - `back`     an order shows the refunds and disputes of the money that it received, and no more; they
 *              change no order's state and no cart
 * - `cart`     bought pieces leave the cart once; other changes to the cart stay
 * - `moves`    an order moves only to states that may follow its state, and keeps its contents
 * - `erased`   an account is deleted only when none of its orders can be paid any more, and orders that were
 *              never paid keep no name
 * - `page`     no page says that an order was paid, or was not, when the opposite is true
 * - `broken`   a function never fails without a sentence for the shopper, and takes genuine webhooks
 * - `sent`     an order is sent once until it is taken back, paid, and as staff saw it
 * - `told`     the buyer of an order that is sent was told, and no mail goes twice unless its answer was lost
 * - `settled`  once the reconcile has run often enough, no order and no attempt is left open
 */
export type Invariant =
  | 'belongs'
  | 'unpaid'
  | 'twice'
  | 'asked'
  | 'sum'
  | 'back'
  | 'cart'
  | 'moves'
  | 'erased'
  | 'page'
  | 'broken'
  | 'sent'
  | 'told'
  | 'settled';

/** The verdicts of a schedule of orders. Its log has short names such as `order-1` in place of ids. */
export class OrderVerdicts extends Verdicts<Invariant> {
  constructor(log?: (line: string) => void) {
    const names = new Map<string, string>();
    const nameOf = (id: string): string => {
      const name = names.get(id) ?? `${kindOf(id)}-${names.size + 1}`;
      names.set(id, name);
      return name;
    };
    super(log && ((line) => log(line.replace(ID, nameOf))));
  }
}

/** What an id that `ID` matches stands for: a Stripe session, an order of the shop, or something of PayPal's. */
function kindOf(id: string): string {
  if (id.startsWith('cs_')) return 'session';
  return id.includes('-') ? 'order' : 'paypal';
}

/** Ids of the shop's orders, of Stripe's sessions, and of PayPal's orders and captures. */
const ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\bcs_test_\w+|\b[A-Z\d]{17}\b/g;
