import Dexie, { type DexieOptions, type PromiseExtended, type Table } from 'dexie';
import type { CatalogueChunk } from '../domain/catalogue-chunk.ts';
import type { Change, ShopperData } from '../domain/change.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { Order } from '../domain/order.ts';
import type { ReadOrders } from '../domain/staff-order.ts';
import type { CatalogueVersion, Product, ProductKey } from '../domain/product.ts';
import { DATABASE } from './names.ts';

/** One record of the catalogue's log, with the key `[generation+seq]`. */
export interface StoredChunk extends CatalogueChunk {
  readonly generation: number;
  readonly seq: number;
}

/** A load of the whole catalogue, and how far it has come. */
export interface CatalogueLoad {
  readonly generation: number;
  readonly nextSeq: number;
  /** The version of its products so far. Where the server no longer has it, the load moves to the newest version. */
  readonly version: CatalogueVersion;
  /** The last product received; null before the first page. */
  readonly after: ProductKey | null;
  /** The format of its chunks (`CATALOGUE_FORMAT`). */
  readonly format: number;
}

/**
 * The state of the catalogue on this device. Every write to the log changes this row in the same
 * transaction, so a live query of this row sees every change of the log.
 */
export interface CatalogueState {
  readonly key: 'catalogue';
  /** The generation that screens read. A generation's number is never used twice. */
  readonly generation: number;
  /** Chunks of that generation have a `seq` below this. */
  readonly nextSeq: number;
  /** How many chunks the last load or rewrite wrote; the rest are batches of changes. */
  readonly loadedChunks: number;
  /** The server's version of that generation; null until the first load has ended. */
  readonly version: CatalogueVersion | null;
  readonly load: CatalogueLoad | null;
  /** The format of that generation's chunks (`CATALOGUE_FORMAT`). */
  readonly format: number;
}

/** How the catalogue's last update ended. Deleting the row makes the sync try again. */
export interface CatalogueResult {
  readonly key: 'catalogue-result';
  readonly failure: BackendFailure | null;
}

/** This phone’s id, which outlives logouts as unsaved changes do. The server notes for each id what it has forgotten. */
export interface DeviceRow {
  readonly key: 'device';
  readonly id: string;
  /** For each shopper who has logged out here, the version of the base that the logout deleted. */
  readonly lastVers?: Readonly<Record<string, number>>;
}

/**
 * The last user who signed in here; absent after a logout. Screens read this row and never wait for
 * the auth service. `ended`: the server has ended the session, so changes wait until the shopper
 * signs in again.
 */
export interface ShopperRow {
  readonly key: 'shopper';
  readonly uid: string;
  readonly email: string;
  readonly session: 'live' | 'ended';
  /** As the auth service gave it, to show links by; the shop's functions ask for it themselves. */
  readonly role?: string;
}

/** How the last run that saves a shopper's changes ended. */
export interface SaveResult {
  readonly key: 'save-result';
  readonly uid: string;
  readonly outcome: 'saved' | 'offline' | 'sign-in' | 'failed';
}

export type MetaRow = CatalogueState | CatalogueResult | DeviceRow | ShopperRow | SaveResult;

/** The table `meta`: each row is stored under its own `key`, which therefore tells its type. */
type MetaTable = {
  get<K extends MetaRow['key']>(
    key: K,
  ): PromiseExtended<Extract<MetaRow, { readonly key: K }> | undefined>;
} & Table<MetaRow, string>;

/** One shopper's data as the server answered them, at its version `ver`. */
export interface ShopperBase extends ShopperData {
  readonly uid: string;
  readonly ver: number;
  /** The version's random name; null for version 0. */
  readonly stamp: string | null;
  /**
   * The products of cart, favourites and rejected changes, and products that were among them before they left the
   * shop, as this device last saw them. Absent until it has looked.
   */
  readonly seen?: readonly Product[];
}

/** A change that the server has not acknowledged. `seq` orders the changes of one phone. */
export interface OutboxRow {
  readonly seq: number;
  readonly uid: string;
  readonly id: string;
  readonly change: Change;
}

/** A change that the server rejected, kept until the shopper dismisses it. */
export interface RejectedChange {
  readonly id: string;
  readonly uid: string;
  readonly change: Change;
  readonly message: string;
}

/** One shopper's orders as last read from the server, newest first. */
export interface StoredOrders {
  readonly uid: string;
  readonly orders: readonly Order[];
}

/** The lists of orders that a person of the staff last read, by their names. */
export interface StoredLists {
  readonly uid: string;
  readonly lists: Readonly<Record<string, ReadOrders>>;
}

/** What a shopper has typed on the checkout, by field, not validated. */
export interface CheckoutDraft {
  readonly uid: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The order that a shopper is paying. Its id is stored before the page sends anything. A second press,
 * another tab or a retry then sends the same id, and the server creates the order once.
 */
export interface PendingOrder {
  readonly uid: string;
  readonly orderId: string;
  /** Cart, address and total as text; other content needs another order. */
  readonly content: string;
}

/** This device's tables. `running` holds the orders that shoppers are paying. */
export class WeftDatabase extends Dexie {
  declare readonly chunks: Table<StoredChunk, [generation: number, seq: number]>;
  declare readonly meta: MetaTable;
  /** auth-js stores its session here. */
  declare readonly session: Table<{ readonly key: string; readonly value: string }, string>;
  declare readonly bases: Table<ShopperBase, string>;
  declare readonly outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>;
  declare readonly rejected: Table<RejectedChange, string>;
  declare readonly orders: Table<StoredOrders, string>;
  declare readonly staff: Table<StoredLists, string>;
  declare readonly drafts: Table<CheckoutDraft, string>;
  declare readonly running: Table<PendingOrder, string>;

  constructor(options: DexieOptions = {}) {
    // Strict: a change that the screen has confirmed must survive a crash of the device.
    super(DATABASE.name, { chromeTransactionDurability: 'strict', ...options });
    this.version(DATABASE.version).stores({
      chunks: '[generation+seq]',
      meta: 'key',
      session: 'key',
      bases: 'uid',
      outbox: '++seq, [uid+seq], id',
      rejected: 'id, uid',
      orders: 'uid',
      staff: 'uid',
      drafts: 'uid',
      running: 'uid',
    });
    // Dexie ignores an error of its first transaction (`dexieOpen`). It would then count as open but
    // throw a `TypeError` at each use. This makes opening fail instead.
    const failWithoutCore = () => {
      if ((this.core as unknown) === undefined) {
        throw new DOMException('open in name only', 'InvalidStateError');
      }
    };
    const isSticky = true;
    this.on('ready', failWithoutCore, isSticky);
  }
}
