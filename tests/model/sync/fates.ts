/**
 * The fate of a request, drawn when it is sent: it may be lost, come twice or far too late, and so
 * may its answer; and another host may answer.
 */
import type { Chance } from '../kit/chance.ts';

export type Weather = 'good' | 'offline' | 'bad' | 'lossy';

/** The way of one request, as far as its fate decides about it. */
export interface Way {
  readonly chance: Chance;
  /** Draws how long one direction takes. */
  trip(): number;
  /**
   * The server has the request after so long.
   *
   * @param stumbleAt the row at which the database fails; 0 for none
   */
  arrive(ms: number, then?: (reply: Reply) => void, stumbleAt?: number): void;
  /** Returns what brings an answer to the tab after so long. */
  reply(ms: number): (answer: Reply) => void;
  /** The tab has this answer at once. */
  answer(reply: Reply): void;
  /** The tab has a network error after so long. */
  fail(ms: number): void;
  falseAnswer(): Reply;
}

export const FATES = {
  arrives: (way: Way) => way.arrive(way.trip(), way.reply(way.trip())),
  'request lost': () => undefined,
  'request refused by the network': (way: Way) => way.fail(way.trip()),
  'answer lost': (way: Way) => way.arrive(way.trip(), () => failSometimes(way)),
  'answer cut off': (way: Way) =>
    way.arrive(way.trip(), () => way.answer({ status: 200, body: null })),
  'answer truncated': (way: Way) =>
    way.arrive(way.trip(), ({ status, body }) => {
      const half = body?.slice(0, Math.floor(body.length / 2)) ?? '';
      way.answer({ status, body: half, isFalse: true });
    }),
  'request duplicated': (way: Way) => {
    way.arrive(way.trip(), way.reply(way.trip()));
    way.arrive(way.chance.between(10, 40_000));
  },
  'request late': (way: Way) => {
    way.arrive(way.chance.between(2000, 60_000));
    failSometimes(way);
  },
  'answer late': (way: Way) => way.arrive(way.trip(), way.reply(way.chance.between(3000, 15_000))),
  'error 5xx before the server': (way: Way) => way.reply(way.trip())(BAD_GATEWAY),
  'error 5xx after the server': (way: Way) =>
    way.arrive(way.trip(), () => way.reply(way.trip())(BAD_GATEWAY)),
  'answer of another host': (way: Way) => way.reply(way.trip())(way.falseAnswer()),
  'server fails half-way': (way: Way) =>
    way.arrive(way.trip(), way.reply(way.trip()), way.chance.between(1, 12)),
};

function failSometimes({ chance, trip, fail }: Way): void {
  if (chance.happens(0.5)) fail(trip());
}

type Fate = keyof typeof FATES;
type Odds = readonly (readonly [number, Fate])[];

const BAD: Odds = [
  [22, 'arrives'],
  [6, 'request lost'],
  [4, 'request refused by the network'],
  [7, 'answer lost'],
  [3, 'answer cut off'],
  [3, 'answer truncated'],
  [6, 'request duplicated'],
  [7, 'request late'],
  [8, 'answer late'],
  [3, 'error 5xx before the server'],
  [3, 'error 5xx after the server'],
  [12, 'answer of another host'],
  [4, 'server fails half-way'],
];

/** A line on which three of ten requests fail. */
const LOSSY: Odds = [
  [70, 'arrives'],
  [15, 'request refused by the network'],
  [15, 'answer lost'],
];

const GOOD: Odds = [[1, 'arrives']];

export const ODDS: Readonly<Record<Weather, Odds>> = {
  good: GOOD,
  offline: GOOD,
  bad: BAD,
  lossy: LOSSY,
};

export interface Reply {
  readonly status: number;
  /** Null when it was cut off before anything came. */
  readonly body: string | null;
  /** Not the shop's own. */
  readonly isFalse?: boolean;
}

/** Answers of captive portals, proxies and tired gateways. */
export const FALSE_ANSWERS: readonly Reply[] = [
  { status: 200, body: '<html>Welcome to the train</html>', isFalse: true },
  { status: 200, body: '', isFalse: true },
  { status: 204, body: '', isFalse: true },
  { status: 200, body: 'null', isFalse: true },
  { status: 200, body: '{}', isFalse: true },
  { status: 200, body: '[]', isFalse: true },
];

export const BAD_GATEWAY: Reply = { status: 502, body: '<html>Bad Gateway</html>' };

export function errorOf(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ code, message, details: null, hint: null }) };
}

/** In words, for the counts. */
export function nameOf({ status, body }: Reply): string {
  if (status === 204) return '204';
  if (body === '') return 'an empty body';
  return body?.startsWith('<') ? 'HTML' : String(body);
}
