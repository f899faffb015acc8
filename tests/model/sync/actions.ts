/** What happens during a schedule, drawn at random. */
import * as misfortune from './misfortune.ts';
import type { Phone } from './phone.ts';
import * as shopping from './shopping.ts';
import type { World } from './world.ts';

type Action = (world: World, phone: Phone) => void | Promise<void>;

const ACTIONS: readonly (readonly [number, Action])[] = [
  [26, shopping.tap],
  [8, (world, phone) => shopping.change(world, phone, 3)],
  [0.7, (world, phone) => shopping.change(world, phone, 130)],
  [2, shopping.logOut],
  [4, shopping.signIn],
  [1.5, shopping.alternate],
  [6, shopping.writeRow],
  [3, shopping.changeCatalogue],
  [4, shopping.look],
  [1, shopping.dismissRejected],
  [1, shopping.askAgain],
  [5, misfortune.crashTab],
  [4, misfortune.openTab],
  [2, misfortune.rollBack],
  [6, misfortune.failStorage],
  [1.5, misfortune.slowStorage],
  [2.5, misfortune.freezeTab],
  [3, misfortune.setBack],
  [3, misfortune.expireToken],
  [1.2, misfortune.endSession],
  [2, misfortune.changeAuthHealth],
  [2.5, misfortune.changeRestHealth],
  [11, misfortune.changeWeather],
  [0.8, misfortune.queueOnLossyLine],
  [2.5, misfortune.changeRealtime],
  [3, misfortune.notifyForNothing],
  [2, misfortune.wakeUp],
];

/** Something happens to this phone, its shopper or the shop. */
export function doSomething(world: World, phone: Phone): void | Promise<void> {
  return world.chance.weighted(ACTIONS)(world, phone);
}
