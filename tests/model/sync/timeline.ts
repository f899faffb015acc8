/**
 * What the server has held of one shopper, as the oracle has observed it. When the database is restored from
 * a backup, another timeline begins as a copy of the backup's. Phones may still hold states of the earlier
 * timeline.
 */
import { NOTHING, type ShopperData } from '../../../src/domain/change.ts';
import type { AppliedChange } from './server.ts';

export class Timeline {
  /** The shopper's version: the server raises it with each write of the shopper's rows. */
  ver = 0;
  /** The shopper's rows by version. What a phone has pulled must equal one of these. */
  readonly states: Map<number, ShopperData>;
  /** By the id of the change. */
  readonly applied: Map<string, AppliedChange>;
  /** Ids of changes that the server has applied or rejected, and has forgotten since. */
  readonly forgotten: Set<string>;
  /** By database of a phone: the position of the last of its changes that the server has applied. */
  readonly lastPositions: Map<string, number>;

  constructor(from?: Timeline) {
    this.ver = from?.ver ?? 0;
    this.states = new Map(from?.states ?? [[0, NOTHING]]);
    this.applied = new Map(from?.applied);
    this.forgotten = new Set(from?.forgotten);
    this.lastPositions = new Map(from?.lastPositions);
  }
}
