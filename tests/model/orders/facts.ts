/** What there is of a world as plain data, so that it can be put back. */
import type { TableCopy } from '../kit/backup.ts';
import { type FakeDatabase, PRICES } from './fake-database.ts';
import type { Job } from './jobs.ts';
import { type Accounts, NOTHING_SEEN } from './oracle.ts';
import type { ProviderState } from './providers.ts';
import type { Run } from './run.ts';

/** When a schedule begins. */
export const BEGIN_MS = Date.parse('2026-11-21T12:00:00Z');

export interface Line {
  readonly product: number;
  readonly quantity: number;
  /** The price that the page shows; null where it shows none. */
  readonly unitMinor: number | null;
}

/** A tab of the shopper's, and what it knows. */
export interface Tab {
  readonly phone: number;
  isOpen: boolean;
  /** The cart as the page shows it. */
  lines: readonly Line[];
  /** Orders, payment pages and PayPal orders that it was told of. */
  readonly orders: string[];
  readonly cards: string[];
  readonly wallets: string[];
  /** The order that the shopper was last told of, and asked whether to pay again. */
  asked: string | null;
}

/** The id that a phone keeps for what is being paid, so that two tabs name the same order. */
export interface Running {
  readonly content: string;
  readonly orderId: string;
}

/** A copy of the database, and what the oracle expected of it then. */
export interface Backup {
  readonly atMs: number;
  readonly copy: TableCopy;
  readonly accounts: Accounts;
}

/** What the checks must know of it. */
export interface WentBack {
  /** Of the oldest backup that was used. */
  readonly sinceMs: number;
  /** Payment pages and PayPal orders of before: the server may know nothing of them. */
  readonly sources: readonly string[];
}

/** What a buyer gave at a provider: money, or a payment that takes days. */
export interface PaymentPromise {
  readonly source: string;
  readonly order: string;
  /** The lines, as text. */
  readonly lines: string;
  readonly atMs: number;
}

/** A payment page, or an order at PayPal, as it was last opened. */
export interface Opened {
  readonly lines: string;
  readonly order: string;
  /** The shopper had been asked. */
  readonly isAgain: boolean;
  /** Sources of earlier promises that needed no question. */
  readonly excused: readonly string[];
}

export interface Facts {
  nowMs: number;
  readonly accounts: Accounts;
  readonly tabs: Tab[];
  readonly running: (Running | null)[];
  /** How often each event was delivered. */
  readonly delivered: Record<string, number>;
  readonly providers: ProviderState;
  backups: Backup[];
  wentBack: WentBack | null;
  readonly promises: PaymentPromise[];
  /**
   * By the id of an order that its shopper was asked about before it was placed, or that no page has
   * placed: sources of earlier promises that need no question any more.
   */
  readonly excused: Record<string, readonly string[]>;
  /** By the id of a Checkout Session or of an order at PayPal. */
  readonly opened: Record<string, Opened>;
  readonly runs: readonly {
    readonly job: Job;
    readonly bornMs: number;
    readonly heard: Run['heard'];
    readonly wasTaken: boolean;
    readonly excused: readonly string[];
  }[];
}

/** @param phones of each tab */
export function firstFacts(
  { database }: { readonly database: FakeDatabase },
  phones: readonly number[],
): Facts {
  const prices = Object.fromEntries(database.products.map((id, i) => [id, PRICES[i] ?? null]));
  const tab = (phone: number): Tab => ({
    phone,
    isOpen: true,
    lines: [],
    orders: [],
    cards: [],
    wallets: [],
    asked: null,
  });
  return {
    nowMs: BEGIN_MS,
    accounts: { prices, cart: {}, seen: NOTHING_SEEN },
    tabs: phones.map(tab),
    running: phones.map(() => null),
    delivered: {},
    providers: { stripe: undefined, paypal: undefined },
    backups: [],
    wentBack: null,
    promises: [],
    excused: {},
    opened: {},
    runs: [],
  };
}

/** Whether a page or a PayPal order is older than the last restore. */
export function isOld({ wentBack }: Facts, source: string): boolean {
  return wentBack?.sources.includes(source) ?? false;
}
