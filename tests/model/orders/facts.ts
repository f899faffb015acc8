/** What a world remembers beside the database and the providers. */
import { type ModelDatabase, PRICES } from './model-database.ts';
import { type Ledger, NO_ROWS } from './oracle.ts';
import type { SeenOrder } from './staff.ts';

const BEGIN_MS = Date.parse('2026-11-21T12:00:00Z');

/** A line of the cart, as a page shows it. */
export interface Line {
  readonly product: number;
  readonly quantity: number;
  /** The price that the page shows; null where it shows none. */
  readonly unitMinor: number | null;
}

/** A tab of the shopper's browser, and the state of its page. */
export interface Tab {
  readonly phone: number;
  isOpen: boolean;
  /** The cart as the page shows it. */
  lines: readonly Line[];
  /** Ids of orders, Checkout Sessions and PayPal orders that answers have told the page. */
  readonly orders: string[];
  readonly checkoutSessions: string[];
  readonly paypalOrders: string[];
  /** The order about which the shop last asked whether the shopper wants to pay again. */
  askedAbout: string | null;
}

/** The order id that a phone keeps for its cart, so that its tabs name the same order. */
export interface PhoneOrder {
  /** The lines of the cart, as text. */
  readonly content: string;
  readonly orderId: string;
}

/** A payment that a buyer has made at a provider, or a payment by bank that was begun and takes days. */
export interface PaymentPromise {
  /** The id of its Checkout Session or PayPal order. */
  readonly source: string;
  readonly order: string;
  /** What it pays for, as `linesIn` writes it. */
  readonly lines: string;
  readonly atMs: number;
}

/** The request that last opened a Checkout Session or PayPal order. */
export interface Opened {
  /** As `linesIn` writes them. */
  readonly lines: string;
  readonly order: string;
  /** Whether the shopper had said yes to paying again. */
  readonly isAgain: boolean;
  /** Sources of earlier promises about which the shop did not need to ask. */
  readonly excused: readonly string[];
}

export interface Facts {
  /** The schedule's time. */
  nowMs: number;
  /** The oracle's state. */
  readonly ledger: Ledger;
  readonly tabs: Tab[];
  /** By the number of the phone; null for a phone that keeps no order id. */
  readonly phoneOrders: (PhoneOrder | null)[];
  /** How often each event was delivered, by its id. */
  readonly delivered: Record<string, number>;
  /** When the providers' lists were last read. */
  listsReadMs: number;
  /** What the page of staff shows. */
  staffPage: readonly SeenOrder[];
  /** The mails that the mail server has taken, each by its kind and key. */
  readonly mails: string[];
  /** How often the shop did not hear, or could not note, that a mail was taken. */
  unheardMails: number;
  /** Checked by promises.ts. */
  readonly promises: PaymentPromise[];
  /** By the id of a Checkout Session or of an order at PayPal. */
  readonly opened: Record<string, Opened>;
}

/** The facts at the beginning. @param phones for each tab, the number of its phone */
export function firstFacts({ products }: ModelDatabase, phones: readonly number[]): Facts {
  const prices = Object.fromEntries(products.map((id, i) => [id, PRICES[i] ?? null]));
  const tab = (phone: number): Tab => ({
    phone,
    isOpen: true,
    lines: [],
    orders: [],
    checkoutSessions: [],
    paypalOrders: [],
    askedAbout: null,
  });
  return {
    nowMs: BEGIN_MS,
    ledger: { prices, cart: {}, rows: NO_ROWS },
    tabs: phones.map(tab),
    phoneOrders: phones.map(() => null),
    delivered: {},
    listsReadMs: BEGIN_MS,
    staffPage: [],
    mails: [],
    unheardMails: 0,
    promises: [],
    opened: {},
  };
}
