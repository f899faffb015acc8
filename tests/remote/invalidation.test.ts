import { expect, test } from 'vitest';
import type { FailureBudget } from '../../src/domain/failure.ts';
import { rejoiningInvalidation, type Listener } from '../../src/remote/invalidation.ts';
import { throttle } from '../../src/sync/throttle.ts';
import { simulatedTime } from '../simulated-time.ts';

const MINUTE = 60_000;
const PLENTY: FailureBudget = {
  take: () => true,
  settle: () => undefined,
  spend: () => undefined,
};

/** A realtime service, and how often it was joined and how often it rang in each minute. */
function serviceOn(time: ReturnType<typeof simulatedTime>, tell: (listener: Listener) => void) {
  const joins: number[] = [];
  const rings: number[] = [];
  const left: number[] = [];
  const invalidation = rejoiningInvalidation(
    (_uid, listener) => {
      joins.push(time.now());
      let isLeft = false;
      const unless = (act: () => void) => () => {
        if (!isLeft) act();
      };
      tell({
        onJoined: unless(listener.onJoined),
        onInvalidate: unless(listener.onInvalidate),
        onEnd: unless(listener.onEnd),
      });
      return () => {
        isLeft = true;
        left.push(time.now());
      };
    },
    time,
    PLENTY,
  );
  invalidation.follow('ada', () => rings.push(time.now()));
  return { invalidation, joins, rings, left };
}

const inMinute = (times: readonly number[], minute: number) =>
  times.filter((at) => at >= minute * MINUTE && at < (minute + 1) * MINUTE).length;

test('a realtime service that closes what has just joined is joined a few times a minute, however long', async () => {
  const time = simulatedTime(() => 0.5);
  const { joins, rings } = serviceOn(time, ({ onJoined, onEnd }) => {
    time.setTimeout(onJoined, 50);
    time.setTimeout(onEnd, 100);
  });
  await time.pass(10 * MINUTE);
  expect(inMinute(joins, 0)).toBeLessThanOrEqual(6);
  for (let minute = 1; minute < 10; minute++) {
    expect(inMinute(joins, minute)).toBeGreaterThanOrEqual(1);
    expect(inMinute(joins, minute)).toBeLessThanOrEqual(3);
  }
  expect(rings.length).toBeLessThanOrEqual(joins.length);
});

test('a subscription that held for a while is joined again at once when it ends', async () => {
  const time = simulatedTime(() => 1);
  let lasts = 100;
  const { joins, rings } = serviceOn(time, ({ onJoined, onEnd }) => {
    onJoined();
    time.setTimeout(onEnd, lasts);
  });
  await time.pass(5 * MINUTE);
  lasts = 2 * MINUTE;
  await time.pass(4 * MINUTE);
  const before = joins.length;
  await time.pass(2 * MINUTE);
  expect(joins.length).toBeGreaterThan(before);
  const [last = 0, previous = 0] = joins.toReversed();
  expect(last - previous - lasts).toBeLessThanOrEqual(4000);
  expect(rings.length).toBe(joins.length);
});

test('once stopped, no service is joined and nothing is invalidated', async () => {
  const time = simulatedTime(() => 0.5);
  const { invalidation, joins, rings, left } = serviceOn(time, ({ onJoined, onEnd }) => {
    time.setTimeout(onJoined, 50);
    time.setTimeout(onEnd, 100);
  });
  await time.pass(40);
  invalidation.stop();
  await time.pass(10 * MINUTE);
  expect({ joins: joins.length, rings: rings.length, left: left.length }).toEqual({
    joins: 1,
    rings: 0,
    left: 1,
  });
});

test('the first invalidate pulls at once, a storm of them every three seconds, the last one too', async () => {
  const time = simulatedTime(() => 0.5);
  const pulls: number[] = [];
  const ringing = throttle(() => pulls.push(time.now()), 3000, time);
  ringing.call();
  expect(pulls).toEqual([0]);
  for (let ms = 0; ms < 10_000; ms += 50) {
    await time.pass(50);
    ringing.call();
  }
  await time.pass(MINUTE);
  expect(pulls).toEqual([0, 3000, 6000, 9000, 12_000]);
  ringing.call();
  expect(pulls.length).toBe(6);
});
