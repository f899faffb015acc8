/**
 * Oracle of invariant 6: a phone shows and sends only the data of the shopper who is signed in. After a
 * login or logout its other tabs have three seconds to follow.
 */
import type { Environment } from './environment.ts';
import type { ShopRequest } from './gateway.ts';
import type { PageModules } from './page-bundle.ts';

const MAX_FOLLOW_MS = 3000;

/** The part of a tab that this oracle uses. */
interface CheckedTab {
  readonly name: string;
  readonly isDead: boolean;
  readonly isFrozen: boolean;
  readonly awakeSinceMs: number;
  readonly modules: PageModules | null;
}

/** Who is signed in on one phone. */
export class SignedInShopper {
  #environment: Environment;
  /** How many logins and logouts have begun. */
  #changeCount = 0;
  /**
   * The shopper who is signed in. Also shoppers who may be signed in because their login failed or overlapped
   * with another one, until the next login or logout that runs alone and succeeds. A tab may always show none.
   */
  #allowed = new Set<string>();
  /** Shoppers whose logout failed to remove their data. The page has told them so. */
  #notRemoved = new Set<string>();
  /** The simulated time at which the last login or logout ended. */
  #changedAtMs = 0;
  /** Logins and logouts that are running, each in its tab. */
  #running = new Set<{ readonly tab: CheckedTab }>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /**
   * Runs a login or a logout.
   *
   * @param uid the shopper who logs in; null for a logout
   * @param work returns whether it succeeded
   */
  async change(tab: CheckedTab, uid: string | null, work: () => Promise<boolean>): Promise<void> {
    const beganAlone = !this.isChanging;
    this.#changeCount += 1;
    const number = this.#changeCount;
    const change = { tab };
    this.#running.add(change);
    if (uid !== null) this.#allowed.add(uid);
    let isDone = false;
    try {
      isDone = await work();
    } finally {
      this.#running.delete(change);
      this.#changedAtMs = this.#environment.clock.nowMs;
      // When two logins or logouts overlap, either may take effect last.
      const ranAlone = beganAlone && this.#changeCount === number;
      if (isDone && ranAlone) this.reset(uid);
      if (uid === null) {
        // A failed logout may leave the data on the phone; a later successful logout removes the data.
        if (isDone) this.#notRemoved.clear();
        else for (const each of this.#allowed) this.#notRemoved.add(each);
      }
    }
  }

  /** Whether a login or logout is running; one whose tab has died is not. */
  get isChanging(): boolean {
    return [...this.#running].some(({ tab }) => !tab.isDead);
  }

  /** From now on only this shopper is signed in. @param uid null for nobody */
  reset(uid: string | null): void {
    this.#allowed = new Set(uid === null ? [] : [uid]);
    this.#changedAtMs = this.#environment.clock.nowMs;
  }

  /** Whether a tab may show this shopper now. */
  #allows(tab: CheckedTab, uid: string): boolean {
    if (this.#allowed.has(uid) || this.#notRemoved.has(uid) || this.isChanging) return true;
    const toldAtMs = Math.max(this.#changedAtMs, tab.awakeSinceMs);
    return this.#environment.clock.nowMs < toldAtMs + MAX_FOLLOW_MS;
  }

  /** Invariant 6, for what a tab shows. */
  checkShown(tab: CheckedTab): void {
    const shown = tab.modules?.shopperStore.snapshot()?.shopper.uid;
    if (shown === undefined || tab.isDead || tab.isFrozen || this.#allows(tab, shown)) return;
    const text = `${tab.name} shows ${shown.slice(0, 4)}, who has logged out`;
    this.#environment.verdicts.break(6, text);
  }

  /** Invariant 6, for a request as it leaves a tab. */
  checkRequest(tab: CheckedTab, { path, bearer, body }: ShopRequest): void {
    const { auth, oracle, verdicts } = this.#environment;
    const isPushOrPull = /^rest\/v1\/rpc\/(?:push|pull)\b/.test(path);
    if (!isPushOrPull) return; // other requests carry no shopper's data
    const uid = String(body['p_user']);
    const owner = auth.ownerOf(bearer ?? '');
    if (bearer === null) verdicts.break(6, `${path} carries no token`);
    else if (owner !== uid) verdicts.break(6, `${path} for ${uid} has ${owner}’s token`);
    else if (!this.#allows(tab, uid)) {
      verdicts.break(6, `${tab.name} sends ${path} for ${uid}, who has logged out`);
    }
    const changes = (body['p_changes'] ?? []) as readonly { id: string }[];
    const pending = (body['p_pending'] ?? []) as readonly string[];
    for (const id of [...changes.map((change) => change.id), ...pending]) {
      const author = oracle.changeWithId(id)?.uid;
      if (author !== uid) verdicts.break(6, `${path} for ${uid} sends ${author}’s ${id}`);
    }
  }
}
