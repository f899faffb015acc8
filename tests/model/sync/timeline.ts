/**
 * One shopper as the server has been seen to have them. A server that is put back to a backup goes
 * on in another timeline; phones may for a while have what was in the one before.
 */
import { NOTHING, type ShopperData } from '../../../src/domain/change.ts';
import type { Applied } from './server.ts';

export class Timeline {
  ver = 0;
  /** By version; phones' bases are held against it. */
  readonly states: Map<number, ShopperData>;
  readonly applied: Map<string, Applied>;
  /** For each home of changes, the place of its latest applied change in the order made. */
  readonly latest: Map<string, number>;

  constructor(from?: Timeline) {
    this.ver = from?.ver ?? 0;
    this.states = new Map(from?.states ?? [[0, NOTHING]]);
    this.applied = new Map(from?.applied);
    this.latest = new Map(from?.latest);
  }
}
