/**
 * What becomes of a request on its way, drawn when it is sent: it may be lost, come twice or far too
 * late, and so may its answer; and somebody else may answer.
 */
export type Weather = 'good' | 'offline' | 'bad' | 'lossy';

export type Fate =
  | 'arrives'
  | 'request lost'
  | 'request refused by the network'
  | 'answer lost'
  | 'answer cut off'
  | 'answer truncated'
  | 'request duplicated'
  | 'request late'
  | 'answer late'
  | 'error 5xx before the server'
  | 'error 5xx after the server'
  | 'answer of somebody else'
  | 'server fails half-way';

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
  [12, 'answer of somebody else'],
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
