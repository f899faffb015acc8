/** Checks that a visitor's tap is stored some time after the login that the tap's alert has opened. */
import type { Phone } from './phone.ts';
import type { Tab } from './tab.ts';
import type { World } from './world.ts';

/** Time after a login within which the tap must be stored where nothing goes wrong. */
const MAX_DONE_MS = 10_000;

/** A visitor's tap, and as whom they log in. */
export interface Visit {
  readonly world: World;
  readonly phone: Phone;
  readonly tab: Tab;
  /** The id of the tap. */
  readonly id: string;
  readonly uid: string;
  /** The phone's logins and logouts before the tap (`SignedInShopper.changeCount`); null if one was not over everywhere. */
  readonly changesAtTap: number | null;
}

/**
 * Expects that the tap is stored, unless the page says why not, or something goes wrong.
 *
 * @param isTold as `watchNotices` returns it
 */
export function expectDone(visit: Visit, isTold: () => boolean): void {
  const { world, phone, tab, id } = visit;
  const { changeCount } = phone.signedIn;
  const sinceMs = world.clock.nowMs;
  const check = () => {
    const hasOtherLogin = phone.signedIn.changeCount > changeCount;
    if (hasOtherLogin || isTold() || hasGoneWrong(visit, sinceMs)) return;
    // The tab keeps one tap: the alert of a later tap replaces it.
    if (!world.deferred.isLast(tab.name, id)) return;
    if (world.oracle.changeWithId(id) || phone.everInLocalStorage.has(id)) return;
    world.verdicts.break(12, `${id} is not done after the login in ${tab.name}`);
  };
  world.clock.after(MAX_DONE_MS, check, tab);
}

/** Parts of the page's sentences that tell the shopper why nothing was stored. */
const TOLD = /we didn’t add|Added to favourites|couldn’t save/;

/** Returns a function that says whether the tab has shown one of these sentences since this call. */
export function watchNotices({ modules }: Tab): () => boolean {
  let isTold = false;
  modules?.noticeStore.subscribe(() => {
    isTold ||= TOLD.test(modules.noticeStore.snapshot()?.text ?? '');
  });
  return () => isTold;
}

/** Whether since then the storage failed, a tab was frozen, this tab died or the shopper's session ended. */
function hasGoneWrong({ phone, tab, uid }: Visit, sinceMs: number): boolean {
  const shopper = tab.modules?.shopperStore.snapshot()?.shopper;
  const isFaulty = !phone.faults.isGood || phone.faults.goodSinceMs > sinceMs;
  const wasFrozen = phone.tabs.some(
    ({ isFrozen, awakeSinceMs }) => isFrozen || awakeSinceMs > sinceMs,
  );
  const hasEnded = shopper?.uid !== uid || shopper.session !== 'live';
  return tab.isDead || isFaulty || wasFrozen || hasEnded || tab.kept !== 'device';
}
