/**
 * Oracle: who may be shown on a phone and sent for. After a login or logout every tab has a moment
 * to hear of it; then it shows, and sends for, only the shopper who is signed in.
 */
import type { Environment } from './environment.ts';
import type { ShopRequest } from './gateway.ts';
import type { PageModules } from './page-bundle.ts';

const GRACE_MS = 3000;

/** A tab, as far as it shows something. */
interface Viewer {
  readonly name: string;
  readonly isDead: boolean;
  readonly isFrozen: boolean;
  readonly awakeSinceMs: number;
  readonly modules: PageModules | null;
}

export class Person {
  #environment: Environment;
  /** The shopper who is signed in; a tab may always show none. */
  #allowed = new Set<string>();
  /** Of whom the device could not be rid, which they were told. */
  #unforgotten = new Set<string>();
  #sinceMs = 0;
  /** The tabs of logins and logouts that are under way; those of a tab that dies are over. */
  #under = new Set<{ readonly tab: Viewer }>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The shopper logs in, or out for null; the work says whether that succeeded. */
  async change(tab: Viewer, uid: string | null, work: () => Promise<boolean>): Promise<void> {
    const isAlone = !this.isChanging;
    const own = { tab };
    this.#under.add(own);
    if (uid !== null) this.#allowed.add(uid);
    let isDone = false;
    try {
      isDone = await work();
    } finally {
      this.#under.delete(own);
      this.#sinceMs = this.#environment.clock.nowMs;
      // Where two of them meet, any may be the last.
      if (isDone && isAlone && !this.isChanging) this.reset(uid);
      if (uid === null && !isDone) for (const each of this.#allowed) this.#unforgotten.add(each);
      if (uid === null && isDone) this.#unforgotten.clear();
    }
  }

  get isChanging(): boolean {
    return [...this.#under].some(({ tab }) => !tab.isDead);
  }

  reset(uid: string | null): void {
    this.#allowed = new Set(uid === null ? [] : [uid]);
    this.#sinceMs = this.#environment.clock.nowMs;
  }

  /** Whether a tab may still have the shopper before. */
  allows(tab: Viewer, uid: string): boolean {
    if (this.#allowed.has(uid) || this.#unforgotten.has(uid) || this.isChanging) return true;
    const knownMs = Math.max(this.#sinceMs, tab.awakeSinceMs);
    return this.#environment.clock.nowMs < knownMs + GRACE_MS;
  }

  check(tab: Viewer): void {
    const shown = tab.modules?.shopperStore.snapshot()?.shopper.uid;
    if (shown === undefined || tab.isDead || tab.isFrozen || this.allows(tab, shown)) return;
    this.#environment.verdicts.break(
      6,
      `${tab.name} shows ${shown.slice(0, 4)}, who has logged out`,
    );
  }

  /** Invariant 6, for a request as it leaves a tab. */
  checkRequest(tab: Viewer, { path, bearer, body }: ShopRequest): void {
    const { auth, oracle, verdicts } = this.#environment;
    if (!path.startsWith('rest/v1/rpc/p')) return;
    const uid = String(body['p_user']);
    const owner = auth.ownerOf(bearer ?? '');
    if (bearer === null) verdicts.break(6, `${path} carries no token`);
    else if (owner !== uid) verdicts.break(6, `${path} for ${uid} has ${owner}’s token`);
    else if (!this.allows(tab, uid)) {
      verdicts.break(6, `${tab.name} sends ${path} for ${uid}, who has logged out`);
    }
    const changes = (body['p_changes'] ?? []) as readonly { id: string }[];
    const pending = (body['p_pending'] ?? []) as readonly string[];
    for (const id of [...changes.map((change) => change.id), ...pending]) {
      const maker = oracle.madeBy(id)?.uid;
      if (maker !== uid) verdicts.break(6, `${path} for ${uid} sends ${maker}’s ${id}`);
    }
  }
}
