import Dexie, { type DexieOptions, type Table } from 'dexie';
import type { CatalogueChunk } from '../domain/catalogue-chunk.ts';
import type { Change, ShopperData } from '../domain/change.ts';
import type { BackendFailure } from '../domain/failure.ts';
import type { Order } from '../domain/order.ts';
import type { ProductKey, VersionName } from '../domain/product.ts';
import { DATABASE } from './schema.ts';

/** One record of the catalogue's log; `generation` and `seq` are its key. */
export interface StoredChunk extends CatalogueChunk {
  readonly generation: number;
  readonly seq: number;
}

/** What the server calls a state of its catalogue: `ver` only means something within an epoch. */
export interface CatalogueVersion {
  readonly epoch: string;
  readonly ver: number;
  /**
   * The random name of version `stampedVer`. A build that knows of no stamps raises `ver` and leaves
   * both as they are: only together they say whether the stamp is still that of `ver`.
   */
  readonly stamp?: string;
  readonly stampedVer?: number;
}

/** A first load, or a load from the start again, and how far it has come. */
export interface CatalogueLoad {
  /** The generation that it fills. */
  readonly generation: number;
  readonly nextSeq: number;
  /** The server's newest version when the load began: changes after it are asked for when it ends. */
  readonly from: CatalogueVersion;
  /** The last product that has arrived; null before the first page. */
  readonly after: ProductKey | null;
  /** Other versions that its pages were read at. Absent where the build before wrote it. */
  readonly readAt?: readonly VersionName[];
}

/**
 * What the device holds of the catalogue. Every write to the log changes this row in the same
 * transaction, so following it is following the log.
 */
export interface CatalogueState {
  readonly key: 'catalogue';
  /** The generation that screens read. A number that is never used twice. */
  readonly generation: number;
  /** Chunks of that generation have a `seq` below this. */
  readonly nextSeq: number;
  /** How many of them came with the last load or rewrite; the rest are batches of changes. */
  readonly loadedChunks: number;
  /** What that generation is current to; null until its first load has ended. */
  readonly version: CatalogueVersion | null;
  readonly load: CatalogueLoad | null;
  /**
   * Versions that the last load's pages were read at. Until the server has said that it knows them, a
   * restore may have taken away what the pages brought.
   */
  readonly unverified?: readonly VersionName[];
}

/** How the last attempt to bring the catalogue up to date ended. Deleting it asks for another. */
export interface CatalogueAttempt {
  readonly key: 'catalogue-attempt';
  readonly failure: BackendFailure | null;
}

/** This phone, to the server: changes of one device are applied in the order they were made. */
export interface DeviceRow {
  readonly key: 'device';
  readonly id: string;
}

/**
 * The last user who signed in here; absent after a logout. Screens go by this row, whatever the
 * auth service can or cannot say at the moment. `ended`: the server has ended the session, so
 * changes wait until the shopper signs in again.
 */
export interface ShopperRow {
  readonly key: 'shopper';
  readonly uid: string;
  readonly email: string;
  readonly session: 'live' | 'ended';
}

/** How the last attempt to save a shopper's changes ended. */
export interface SaveAttempt {
  readonly key: 'save-attempt';
  readonly uid: string;
  readonly outcome: 'saved' | 'offline' | 'sign-in' | 'failed';
}

/** When this device's failed requests will be paid for; see `failure-budget.ts`. */
export interface FailureDebt {
  readonly key: 'failure-debt';
  /** Milliseconds since 1970, by the phone's clock. */
  readonly paidAtMs: number;
}

export type MetaRow =
  | CatalogueState
  | CatalogueAttempt
  | DeviceRow
  | ShopperRow
  | SaveAttempt
  | FailureDebt;

/** One shopper's data as the server had them at `ver`. */
export interface ShopperBase extends ShopperData {
  readonly uid: string;
  readonly ver: number;
  /** The version's random name; null where the server gave none. Absent: an earlier build's row. */
  readonly stamp?: string | null;
}

/** A change that the server has not been seen to have. `seq` is the order of one phone. */
export interface OutboxRow {
  readonly seq: number;
  readonly uid: string;
  readonly id: string;
  readonly change: Change;
  /** In memory only: it lies in `localStorage` too, from where any tab takes it to the device. */
  readonly isLate?: true;
}

/** A change that the server will never take, until the shopper has seen why. */
export interface RejectedRow {
  readonly id: string;
  readonly uid: string;
  readonly change: Change;
  readonly message: string;
}

/** One shopper's orders as they were last read, newest first. */
export interface StoredOrders {
  readonly uid: string;
  readonly orders: readonly Order[];
}

/** What a shopper has typed on the checkout, by field, whatever it is worth. */
export interface CheckoutDraft {
  readonly uid: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The order that a shopper is paying. Its id is kept before anything is sent: another press, another
 * tab or another try after a lost answer names the same order, and the server makes it once.
 */
export interface PendingOrder {
  readonly uid: string;
  readonly orderId: string;
  /** What it is for, as text: another cart, address or total needs another order. */
  readonly content: string;
  /** The cart's part of it. */
  readonly cart: string;
}

/** This device's tables. */
export class WeftDatabase extends Dexie {
  declare readonly chunks: Table<StoredChunk, [generation: number, seq: number]>;
  declare readonly meta: Table<MetaRow, string>;
  /** Where auth-js keeps its session. */
  declare readonly session: Table<{ readonly key: string; readonly value: string }, string>;
  declare readonly bases: Table<ShopperBase, string>;
  declare readonly outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>;
  declare readonly refused: Table<RejectedRow, string>;
  declare readonly orders: Table<StoredOrders, string>;
  declare readonly drafts: Table<CheckoutDraft, string>;
  declare readonly running: Table<PendingOrder, string>;

  constructor(options: DexieOptions = {}) {
    // Strict: a change that was confirmed on screen must survive a crash of the whole machine.
    super(DATABASE.name, { chromeTransactionDurability: 'strict', ...options });
    this.version(1).stores({ chunks: '[generation+seq]', meta: 'key' });
    this.version(2).stores({
      session: 'key',
      bases: 'uid',
      outbox: '++seq, [uid+seq], id',
      refused: 'id, uid',
    });
    this.version(DATABASE.version).stores({ orders: 'uid', drafts: 'uid', running: 'uid' });
    // Dexie passes over an error of the first transaction that it tries (`dexieOpen`), and would be
    // open without what its tables work with: each use a `TypeError`. So it fails to open instead.
    const failUnlessWhole = () => {
      if ((this.core as unknown) === undefined) {
        throw new DOMException('open in name only', 'InvalidStateError');
      }
    };
    this.on('ready', failUnlessWhole, true);
  }
}

/** What this page works with at the moment. */
export interface Databases {
  /** What a shopper does, and who that is. */
  readonly db: WeftDatabase;
  /** The products: of the same database, or in memory where the device has no room for them. */
  readonly catalogue: WeftDatabase;
  /** Where `db` is. */
  readonly kept: 'device' | 'memory';
  /** Whether `catalogue` is in memory because the device is full. */
  readonly isFull: boolean;
  /** False while the device has not been read, which may know a shopper. */
  readonly isShopperKnown: boolean;
}
