/** The realtime subscription that tells a phone to pull, when it is joined again, and how often the phone pulls. */
import { expect, test } from 'vitest';
import { throttle } from '../../src/browser/poll.ts';
import { rejoiningInvalidation, type Listener } from '../../src/remote/invalidation.ts';
import { simulatedTime } from '../simulated-time.ts';

const MINUTE_MS = 60_000;

/**
 * A fake of the realtime service, with the times at which it was joined, invalidated and left. The tab pulls each
 * minute, and 100 ms after each invalidation.
 */
function fakeRealtime(
  time: ReturnType<typeof simulatedTime>,
  onJoin: (listener: Listener) => void,
) {
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
  }, time.now);
  const pull = () => {
    invalidation.follow('ada', () => {
      invalidations.push(time.now());
      time.setTimeout(pull, 100);
    });
  };
  const pullEachMinute = () => {
    pull();
    time.setTimeout(pullEachMinute, MINUTE_MS);
  };
  pullEachMinute();
  return { invalidation, joins, invalidations, leaves };
}

test('a realtime service that closes each new subscription is joined once a minute, however long this lasts', async () => {
  const time = simulatedTime(() => 0.5);
  const { joins, invalidations } = fakeRealtime(time, ({ onJoined, onEnd }) => {
    time.setTimeout(onJoined, 50);
    time.setTimeout(onEnd, 100);
  });
  await time.pass(10 * MINUTE_MS - 1);
  expect(joins).toHaveLength(10);
  expect(invalidations, 'a pull after each join').toHaveLength(10);
});

test('a subscription that holds is joined once, and again within a minute of its end', async () => {
  const time = simulatedTime(() => 0.5);
  const { invalidation, joins } = fakeRealtime(time, ({ onJoined, onEnd }) => {
    onJoined();
    time.setTimeout(onEnd, 2.5 * MINUTE_MS);
  });
  await time.pass(2 * MINUTE_MS);
  expect(joins).toEqual([0]);
  await time.pass(MINUTE_MS - 1);
  expect(invalidation.isJoined).toBe(false);
  await time.pass(1);
  expect(joins).toEqual([0, 3 * MINUTE_MS]);
  expect(invalidation.isJoined).toBe(true);
});

test('once stopped, nothing is invalidated, and the next shopper is joined at once', async () => {
  const time = simulatedTime(() => 0.5);
  const { invalidation, joins, invalidations, leaves } = fakeRealtime(time, ({ onJoined }) => {
    time.setTimeout(onJoined, 50);
  });
  await time.pass(40);
  invalidation.stop();
  await time.pass(MINUTE_MS / 2);
  expect([joins, invalidations, leaves]).toEqual([[0], [], [40]]);
  invalidation.follow('eve', () => undefined);
  expect(joins).toHaveLength(2);
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
