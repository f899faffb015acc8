/** Queries that screens follow: after a failure they are run again, after longer and longer pauses. */
import { afterEach, expect, test, vi } from 'vitest';
import { device, letStorageWork, loadTab, plugInDeviceBeforeEach, until } from './tab.ts';

plugInDeviceBeforeEach();
afterEach(() => vi.restoreAllMocks());

test('a query that goes on failing is run again after pauses that double, and no more once nothing follows it', async () => {
  // Each pause is the longest that chance allows.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { connection, followQuery } = await loadTab();
  await connection.open();
  device.fail({ store: 'meta', mode: 'readonly', name: 'DataError' });
  let failures = 0;
  const stop = followQuery(
    () => connection.db.meta.get('device'),
    () => undefined,
    () => void (failures += 1),
  );
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
  await letStorageWork();
  connection.db.close();
});
