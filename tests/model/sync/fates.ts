/**
 * The fate of a request: what the network does to it, drawn when it is sent. The request or its answer may be
 * lost, delayed or damaged, the request may arrive twice, and another host may answer.
 */
import type { Chance } from '../kit/chance.ts';

/** A phone's network. `bad` has all kinds of faults; `lossy` loses three of ten requests or their answers. */
export type NetworkState = 'good' | 'offline' | 'bad' | 'lossy';

/** The effects from which a fate of one request is made. Times are simulated milliseconds from the call. */
export interface Transfer {
  readonly chance: Chance;
  /** Draws how long one direction takes. */
  drawTripMs(): number;
  /**
   * The request reaches the server.
   *
   * @param then gets the server's answer
   * @param failAtRow the database fails at the row write of this number; 0 for no failure
   */
  arriveAfter(ms: number, then?: (reply: Reply) => void, failAtRow?: number): void;
  /** Returns a function that brings an answer to the tab `ms` after that function is called. */
  answerAfter(ms: number): (reply: Reply) => void;
  /** The tab gets this answer. */
  answerNow(reply: Reply): void;
  /** The tab gets a network error. */
  failAfter(ms: number): void;
}

/** What each fate does, under its name in the counts of faults. */
export const FATES = {
  arrives: (transfer: Transfer) => {
    const { drawTripMs, arriveAfter, answerAfter } = transfer;
    arriveAfter(drawTripMs(), answerAfter(drawTripMs()));
  },
  'request lost': () => undefined,
  'request fails in the network': ({ failAfter, drawTripMs }: Transfer) => failAfter(drawTripMs()),
  'answer lost': (transfer: Transfer) =>
    transfer.arriveAfter(transfer.drawTripMs(), () => failSometimes(transfer)),
  'answer cut off': ({ arriveAfter, drawTripMs, answerNow }: Transfer) =>
    arriveAfter(drawTripMs(), () => answerNow({ status: 200, body: null })),
  'answer truncated': ({ arriveAfter, drawTripMs, answerNow }: Transfer) =>
    arriveAfter(drawTripMs(), ({ status, body }) => {
      const half = body?.slice(0, Math.floor(body.length / 2)) ?? '';
      answerNow({ status, body: half, isFaulty: true });
    }),
  'request duplicated': ({ chance, arriveAfter, drawTripMs, answerAfter }: Transfer) => {
    arriveAfter(drawTripMs(), answerAfter(drawTripMs()));
    arriveAfter(chance.between(10, 40_000));
  },
  'request late': (transfer: Transfer) => {
    transfer.arriveAfter(transfer.chance.between(2000, 60_000));
    failSometimes(transfer);
  },
  'answer late': ({ chance, arriveAfter, drawTripMs, answerAfter }: Transfer) =>
    arriveAfter(drawTripMs(), answerAfter(chance.between(3000, 15_000))),
  'error 5xx before the server': ({ answerAfter, drawTripMs }: Transfer) =>
    answerAfter(drawTripMs())(BAD_GATEWAY),
  'error 5xx after the server': ({ arriveAfter, drawTripMs, answerAfter }: Transfer) =>
    arriveAfter(drawTripMs(), () => answerAfter(drawTripMs())(BAD_GATEWAY)),
  'answer of another host': ({ chance, answerAfter, drawTripMs }: Transfer) =>
    answerAfter(drawTripMs())(chance.pick(FOREIGN_ANSWERS)),
  'server fails half-way': ({ chance, arriveAfter, drawTripMs, answerAfter }: Transfer) =>
    arriveAfter(drawTripMs(), answerAfter(drawTripMs()), chance.between(1, 12)),
};

/** Half of the calls end in a network error. The others get no answer, and end in the page's own timeout. */
function failSometimes({ chance, drawTripMs, failAfter }: Transfer): void {
  if (chance.happens(0.5)) failAfter(drawTripMs());
}

type Fate = keyof typeof FATES;
type Odds = readonly (readonly [weight: number, fate: Fate])[];

const BAD: Odds = [
  [22, 'arrives'],
  [6, 'request lost'],
  [4, 'request fails in the network'],
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

const LOSSY: Odds = [
  [70, 'arrives'],
  [15, 'request fails in the network'],
  [15, 'answer lost'],
];

const GOOD: Odds = [[1, 'arrives']];

/** A fate that is drawn while a phone is offline has no effect: each of its requests fails. */
export const ODDS: Readonly<Record<NetworkState, Odds>> = {
  good: GOOD,
  offline: GOOD,
  bad: BAD,
  lossy: LOSSY,
};

/** An HTTP answer, as it reaches a tab. */
export interface Reply {
  readonly status: number;
  /** Null when the connection was cut before the body came. */
  readonly body: string | null;
  /** Whether the page must treat it as a failure although its status is below 300. */
  readonly isFaulty?: boolean;
}

/** Answers of captive portals, proxies and overloaded gateways. */
const FOREIGN_ANSWERS: readonly Reply[] = [
  { status: 200, body: '<html>Welcome to the train</html>', isFaulty: true },
  { status: 200, body: '', isFaulty: true },
  { status: 204, body: '', isFaulty: true },
  { status: 200, body: 'null', isFaulty: true },
  { status: 200, body: '{}', isFaulty: true },
  { status: 200, body: '[]', isFaulty: true },
];

export const BAD_GATEWAY: Reply = { status: 502, body: '<html>Bad Gateway</html>' };

/** An error as PostgREST answers it. @param code a SQLSTATE or one of PostgREST's own codes */
export function errorOf(status: number, code: string, message: string): Reply {
  return { status, body: JSON.stringify({ code, message, details: null, hint: null }) };
}
