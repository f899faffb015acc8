/**
 * Tabs over the device that is plugged in. A tab is the real code with its modules loaded anew, so that
 * two tabs share nothing but the device.
 */
import { afterEach, beforeEach, vi } from 'vitest';
import { Device } from './device.ts';

/** The device of this test. */
export let device: Device;

/** Gives each test of this file a new device. Timers stand still, unless `stopsTimers` is false. */
export function plugInDeviceBeforeEach({ stopsTimers = true } = {}): void {
  beforeEach(() => {
    if (stopsTimers) stopTimers();
    device = new Device();
    device.plugIn();
  });
  afterEach(() => {
    device.unplug();
    vi.useRealTimers();
  });
}

/** Opens a tab: loads the modules anew, over the device that is plugged in. */
export async function loadTab() {
  vi.resetModules();
  // The tab loads these with `import()` at their first use. After the next `loadTab` it would get that tab's copies.
  await Promise.all([import('../../src/db/open.ts'), import('../../src/db/outbox.ts')]);
  return {
    ...(await import('../../src/db/connection.ts')),
    ...(await import('../../src/db/enqueue.ts')),
    ...(await import('../../src/db/database.ts')),
    ...(await import('../../src/db/first-read.ts')),
    ...(await import('../../src/db/feed-stores.ts')),
    ...(await import('../../src/db/follow.ts')),
    ...(await import('../../src/db/shopper-store.ts')),
    ...(await import('../../src/db/catalogue-store.ts')),
    ...(await import('../../src/db/session-store.ts')),
  };
}

/** What a test may use of a tab: its connection, its stores and its changes. */
export type Tab = Awaited<ReturnType<typeof loadTab>>;

/**
 * Stops time; `vi.advanceTimersByTimeAsync` moves it. Timers that are due at once run after the storage's answers, as in
 * a browser: the millisecond that Node waits for them would be a race.
 */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fakeSetTimeout = globalThis.setTimeout;
  const mixed = <T extends unknown[]>(run: (...given: T) => void, ms = 0, ...given: T) =>
    ms === 0 ? void letStorageWork().then(() => run(...given)) : fakeSetTimeout(run, ms, ...given);
  Object.assign(globalThis, { setTimeout: mixed });
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets the storage handle its requests, for a fixed number of turns; simulated time does not pass. */
export async function letStorageWork(): Promise<void> {
  for (let round = 0; round < 100; round++) await nextTurn();
}

/** Lets the storage work and due timers run until the condition holds. @throws after 30 seconds */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  // Long enough for modules that are still loaded from the disk.
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    if (await holds()) return;
    await nextTurn();
  }
  throw new Error(`this never came true: ${holds.toString()}`);
}

/** Lets the storage work and due timers run until this promise is settled. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await until(() => isSettled);
  return promise;
}

/** Puts one piece of a product into the cart of this tab. */
export const addOne = (tab: Tab, productId = 1) =>
  tab.enqueue([{ kind: 'cart.add', args: { productId, by: 1 } }]);
