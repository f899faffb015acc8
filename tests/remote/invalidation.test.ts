/** The realtime subscription that tells a phone to pull, when it is joined again, and how often the phone pulls. */
import { expect, test } from 'vitest';
import { throttle } from '../../src/browser/poll.ts';
import { rejoiningInvalidation, type Listener } from '../../src/remote/invalidation.ts';
import { simulatedTime } from '../simulated-time.ts';

const MINUTE_MS = 60_000;

/** A realtime service, and the times at which it was joined, invalidated and left. */
function serviceOn(time: ReturnType<typeof simulatedTime>, onJoin: (listener: Listener) => void) {
  const joins: number[] = [];
  const invalidations: number[] = [];
  const leaves: number[] = [];
  const invalidation = rejoiningInvalidation((_uid, listener) => {
    joins.push(time.now());
    let isLeft = false;
    const unlessLeft = (act: () => void) => () => {
      if (!isLeft) act();
    };
    onJoin({
      onJoined: unlessLeft(listener.onJoined),
      onInvalidate: unlessLeft(listener.onInvalidate),
      onEnd: unlessLeft(listener.onEnd),
    });
    return () => {
      isLeft = true;
      leaves.push(time.now());
    };
  }, time);
  invalidation.follow('ada', () => invalidations.push(time.now()));
  return { invalidation, joins, invalidations, leaves };
}

const inMinute = (times: readonly number[], minute: number) =>
  times.filter((at) => at >= minute * MINUTE_MS && at < (minute + 1) * MINUTE_MS).length;

test('a realtime service that closes each new subscription is joined a few times a minute, however long this lasts', async () => {
  const time = simulatedTime(() => 0.5);
  const { joins, invalidations } = serviceOn(time, ({ onJoined, onEnd }) => {
    time.setTimeout(onJoined, 50);
    time.setTimeout(onEnd, 100);
  });
  await time.pass(10 * MINUTE_MS);
  expect(inMinute(joins, 0)).toBeLessThanOrEqual(6);
  for (let minute = 1; minute < 10; minute++) {
    expect(inMinute(joins, minute)).toBeGreaterThanOrEqual(1);
    expect(inMinute(joins, minute)).toBeLessThanOrEqual(3);
  }
  expect(invalidations.length).toBeLessThanOrEqual(joins.length);
});

test('a subscription that held for a while is joined again within four seconds of its end', async () => {
  const time = simulatedTime(() => 1);
  let lifetimeMs = 100;
  const { joins, invalidations } = serviceOn(time, ({ onJoined, onEnd }) => {
    onJoined();
    time.setTimeout(onEnd, lifetimeMs);
  });
  // Short subscriptions make the pauses long. One that has held for two minutes makes them short again.
  await time.pass(5 * MINUTE_MS);
  lifetimeMs = 2 * MINUTE_MS;
  await time.pass(4 * MINUTE_MS);
  const before = joins.length;
  await time.pass(2 * MINUTE_MS);
  expect(joins.length).toBeGreaterThan(before);
  const [last = 0, previous = 0] = joins.toReversed();
  expect(last - previous - lifetimeMs).toBeLessThanOrEqual(4000);
  expect(invalidations.length, 'a pull after each join').toBe(joins.length);
});

test('once stopped, no service is joined and nothing is invalidated', async () => {
  const time = simulatedTime(() => 0.5);
  const { invalidation, joins, invalidations, leaves } = serviceOn(time, ({ onJoined, onEnd }) => {
    time.setTimeout(onJoined, 50);
    time.setTimeout(onEnd, 100);
  });
  await time.pass(40);
  invalidation.stop();
  await time.pass(10 * MINUTE_MS);
  expect({
    joins: joins.length,
    invalidations: invalidations.length,
    leaves: leaves.length,
  }).toEqual({
    joins: 1,
    invalidations: 0,
    leaves: 1,
  });
});

test('the first invalidation pulls at once, many in a row pull every three seconds, and a pull follows the last', async () => {
  const time = simulatedTime(() => 0.5);
  const pulls: number[] = [];
  const throttled = throttle(() => pulls.push(time.now()), 3000, time);
  throttled.call();
  expect(pulls).toEqual([0]);
  for (let ms = 0; ms < 10_000; ms += 50) {
    await time.pass(50);
    throttled.call();
  }
  await time.pass(MINUTE_MS);
  expect(pulls).toEqual([0, 3000, 6000, 9000, 12_000]);
  throttled.call();
  expect(pulls, 'after a quiet minute at once again').toHaveLength(6);
});
