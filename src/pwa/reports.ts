/**
 * Reports faults in shoppers' browsers to the shop's log: uncaught errors in the shop's own scripts, and a
 * device that lost its storage. One tab in four reports, a few times at most, and names neither the person
 * nor the page; the function removes personal data from messages (netlify/lib/reports.ts).
 */
import { connection } from '../db/connection.ts';

const SHARE_OF_TABS = 0.25;
const MOST_REPORTS = 3;
const MOST_FRAMES = 5;
/** In characters. The function cuts longer messages in any case. */
const LONGEST_MESSAGE = 500;

export function reportFaults(): void {
  if (Math.random() >= SHARE_OF_TABS) return;
  let sent = 0;
  let isInMemory = false;

  function send(report: object): void {
    sent += 1;
    if (sent > MOST_REPORTS) return;
    const body = new Blob([JSON.stringify(report)], { type: 'application/json' });
    navigator.sendBeacon('/.netlify/functions/report', body);
  }

  function sendError(thrown: unknown): void {
    if (!(thrown instanceof Error)) return;
    const stack = placesIn(thrown.stack ?? '');
    // The error is not in the shop's scripts: it may be a browser extension's.
    if (stack.length === 0) return;
    const message = thrown.message.slice(0, LONGEST_MESSAGE);
    send({ kind: 'error', name: thrown.name, message, stack });
  }

  function reportLostStorage(): void {
    if (connection.kept === 'memory' && !isInMemory) send({ kind: 'memory' });
    isInMemory = connection.kept === 'memory';
  }

  window.addEventListener('error', ({ error }: ErrorEvent) => sendError(error));
  window.addEventListener('unhandledrejection', ({ reason }) => sendError(reason));
  connection.subscribe(reportLostStorage);
  reportLostStorage();
}

/** The places of a stack in the shop's own bundle, as `file:line:column`. An extension may have `/assets/` too. */
function placesIn(stack: string): string[] {
  const [, ...behind] = stack.split(`${location.origin}/assets/`);
  const places = behind.flatMap((text) => /^[\w.-]+\.js:\d+:\d+/.exec(text) ?? []);
  return places.slice(0, MOST_FRAMES);
}
