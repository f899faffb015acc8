/**
 * Part of invariant 12. A visitor taps, follows the link of the alert to the login, and logs in. Checks that the page
 * then stores the tap within 10 seconds.
 */
import type { Phone } from './phone.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

const MAX_STORE_MS = 10_000;

/** A visitor's tap, and the shopper as whom they log in. */
export interface Visit {
  readonly world: World;
  readonly phone: Phone;
  readonly tab: Tab;
  /** The id of the tap, and later of the stored change. */
  readonly id: string;
  readonly uid: string;
  /** The phone's `changeCount` of logins and logouts at the tap; null if the tab may not have heard of all of them. */
  readonly changesAtTap: number | null;
}

/**
 * Expects, from the moment of the login, that the page stores the tap, unless the page explains why not or
 * something goes wrong.
 *
 * @param isExplained from `watchExplanations`, called before the login
 */
export function expectStored(visit: Visit, isExplained: () => boolean): void {
  const { world, phone, tab, id } = visit;
  const { changeCount } = phone.signedIn;
  const loginMs = world.clock.nowMs;
  const check = () => {
    const hasOtherLogin = phone.signedIn.changeCount > changeCount;
    if (hasOtherLogin || isExplained() || hasGoneWrong(visit, loginMs)) return;
    // The tab keeps one tap: the alert of a later tap replaces it.
    if (!world.deferred.isLastFollowed(tab.name, id)) return;
    // A page that is left before it has stored the tap puts the tap into localStorage.
    if (world.oracle.changeWithId(id) || phone.everInLocalStorage.has(id)) return;
    world.verdicts.break(12, `${id} is not stored after the login in ${tab.name}`);
  };
  world.clock.after(MAX_STORE_MS, check, tab);
}

/** Parts of the notices after which nothing is stored. A product that is a favourite already is "added" again. */
const EXPLANATIONS = /we didn’t add|Added to favourites|couldn’t save/;

/** Returns a function that says whether the tab has shown one of these notices since this call. */
export function watchExplanations({ modules }: Tab): () => boolean {
  let isExplained = false;
  modules?.noticeStore.subscribe(() => {
    isExplained ||= EXPLANATIONS.test(modules.noticeStore.snapshot()?.text ?? '');
  });
  return () => isExplained;
}

/** Whether a fault has struck the phone or this tab since this time, or the shopper's session has ended. */
function hasGoneWrong({ phone, tab, uid }: Visit, sinceMs: number): boolean {
  const shopper = tab.modules?.shopperStore.snapshot()?.shopper;
  const isFaulty = !phone.faults.isGood || phone.faults.goodSinceMs > sinceMs;
  const wasFrozen = phone.tabs.some(
    ({ isFrozen, awakeSinceMs }) => isFrozen || awakeSinceMs > sinceMs,
  );
  const hasEnded = shopper?.uid !== uid || shopper.session !== 'live';
  return tab.isDead || tab.kept !== 'device' || isFaulty || wasFrozen || hasEnded;
}
