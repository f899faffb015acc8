/** Queries that screens follow: after a failure they are run again, after longer and longer pauses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { device, letStorageWork, loadTab, plugInDeviceBeforeEach, type Tab, until } from './tab.ts';

let tab: Tab;
/** What the query has returned. */
let results: (string | undefined)[];
/** How often the query has failed. */
let failures: number;

plugInDeviceBeforeEach();
beforeEach(async () => {
  results = [];
  failures = 0;
  // Each pause is the longest that chance allows.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  tab = await loadTab();
  await tab.connection.open();
});
afterEach(async () => {
  await letStorageWork();
  tab.connection.db.close();
  vi.restoreAllMocks();
});

/** Follows the id of this device. Returns a function that stops following. */
function followDevice(): () => void {
  const { db } = tab.connection;
  const readDevice = async () => {
    const row = await db.meta.get('device');
    return row?.key === 'device' ? row.id : undefined;
  };
  return tab.followQuery(
    readDevice,
    (id) => void results.push(id),
    () => void (failures += 1),
  );
}

const putDevice = (id: string) => tab.connection.db.meta.put({ key: 'device', id });

test('a query that fails is run again, and followed from then on', async () => {
  const stop = followDevice();
  await until(() => results.length === 1);
  device.fail({ store: 'meta', mode: 'readonly', name: 'UnknownError', times: 1 });
  await putDevice('one');
  await until(() => failures === 1);
  await vi.advanceTimersByTimeAsync(1000); // the first pause
  await until(() => results.at(-1) === 'one');
  await putDevice('two');
  await until(() => results.at(-1) === 'two');
  stop();
});

test('a query that goes on failing is run again after pauses that double, and no more once nothing follows it', async () => {
  device.fail({ store: 'meta', mode: 'readonly', name: 'DataError' });
  const stop = followDevice();
  await until(() => failures === 1);
  for (const [pauseMs, failuresAfter] of [
    [1000, 2],
    [2000, 3],
    [4000, 4],
  ] as const) {
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(failures).toBe(failuresAfter - 1);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => failures === failuresAfter);
  }
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failures).toBe(4);
});
