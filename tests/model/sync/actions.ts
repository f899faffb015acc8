/** The random actions of a schedule, and how often each is drawn. */
import { tapBeforeLogin } from './before-login.ts';
import * as faults from './injected-faults.ts';
import type { Phone } from './phone.ts';
import * as shopping from './shopping.ts';
import type { World } from './world.ts';

type Action = (world: World, phone: Phone) => void | Promise<void>;

/** Each with its weight: an action of weight 4 is drawn twice as often as one of weight 2. */
const ACTIONS: readonly (readonly [number, Action])[] = [
  [26, shopping.tap],
  [8, (world, phone) => shopping.makeChanges(world, phone, 3)],
  [0.7, (world, phone) => shopping.makeChanges(world, phone, 130)], // more than two pushes hold
  [2, shopping.logOut],
  [4, shopping.signInAnyone],
  [3, shopping.alternateAccounts],
  [5, tapBeforeLogin],
  [6, shopping.writeRow],
  [3, shopping.changeCatalogue],
  [4, shopping.checkScreens],
  [5, faults.crashTab],
  [4, faults.openTab],
  [2, faults.rollBackStorage],
  [1.5, faults.passDays],
  [6, faults.failStorage],
  [1, faults.shopInMemory],
  [2.5, faults.freezeTab],
  [3, faults.leavePage],
  [3, faults.backUpDatabase],
  [3, faults.expireTokens],
  [1.2, faults.endSessions],
  [2, faults.changeAuthHealth],
  [2.5, faults.changeRestHealth],
  [11, faults.changeNetwork],
  [0.8, faults.queueOnLossyNetwork],
  [2.5, faults.changeRealtime],
  [2, faults.bringToFront],
];

/** Makes one random thing happen to this phone, its shopper or the shop. */
export function doRandomAction(world: World, phone: Phone): void | Promise<void> {
  return world.chance.weighted(ACTIONS)(world, phone);
}
