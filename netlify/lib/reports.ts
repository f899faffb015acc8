/**
 * Turns reports of browsers into lines for the log. Anybody may send anything, so a line holds only words
 * from this file, places in the shop's own scripts, and a message without what may be personal: addresses,
 * ids, numbers, and text in quotation marks.
 */
import { type Fields, fieldsOf, plainText } from '../../src/domain/fields.ts';
import { routeOf } from '../../src/domain/routes.ts';
import { HttpError, requireJson } from './http.ts';

/** Of one request. A browser may send several at once. */
const MAX_REPORTS = 5;
/** Places in the stack of one error. */
const MAX_FRAMES = 5;
/** How much of a message is read, which bounds the work of the patterns. */
const MAX_READ_CHARS = 2000;
/** How much of a message is logged. */
const MAX_MESSAGE_CHARS = 160;
/** The page cuts longer messages (`src/pwa/reports.ts`). */
const LONGEST_FROM_PAGE = 500;

/**
 * Reads the reports of a request and returns a line for each. Its type says who sent it: a browser, by
 * `report-uri` or by the Reporting API, or the shop's page.
 *
 * @throws HttpError 415 for another type, 400 for a body that is no report
 */
export async function readReports(
  contentType: string,
  readBody: () => Promise<string>,
): Promise<readonly string[]> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const parse = PARSERS.get(type);
  if (!parse) {
    throw new HttpError(415, `A report has the type ${[...PARSERS.keys()].join(' or ')}.`);
  }
  const reports = parse(requireJson(await readBody(), 'report'));
  if (reports === null) throw new HttpError(400, 'The request is no report.');
  return reports.slice(0, MAX_REPORTS).map((report) => `report ${JSON.stringify(report)}`);
}

type Report = Fields;

const PARSERS: ReadonlyMap<string, (body: unknown) => readonly Report[] | null> = new Map(
  Object.entries({
    // Source: W3C, Content Security Policy 2, "violation reports".
    'application/csp-report': (body: unknown) => {
      const report = fieldsOf(body)['csp-report'];
      if (!isObject(report)) return null;
      return [
        violation(
          report['effective-directive'] ?? report['violated-directive'],
          report['blocked-uri'],
          report['document-uri'],
        ),
      ];
    },
    // Source: W3C, Reporting API and Content Security Policy 3.
    'application/reports+json': (body: unknown) => {
      if (!Array.isArray(body) || !body.every(isObject)) return null;
      return body
        .filter((report) => report['type'] === 'csp-violation')
        .map((report) => fieldsOf(report['body']))
        .map((report) =>
          violation(report['effectiveDirective'], report['blockedURL'], report['documentURL']),
        );
    },
    'application/json': (body: unknown) => {
      const { kind, name, message, stack } = fieldsOf(body);
      if (kind === 'memory') return [{ kind }];
      if (kind !== 'error' || typeof message !== 'string' || !Array.isArray(stack)) return null;
      const frames = stack.filter((frame) => typeof frame === 'string' && FRAME.test(frame));
      return [
        {
          kind,
          name: typeof name === 'string' && ERROR_NAME.test(name) ? name : 'Error',
          message: impersonal(message),
          stack: frames.slice(0, MAX_FRAMES),
        },
      ];
    },
  }),
);

/** A place in a script: a file of the bundle, line and column. */
const FRAME = /^[\w.-]{1,80}\.js:\d{1,7}:\d{1,7}$/;
const ERROR_NAME = /^[A-Za-z]{1,40}$/;

function violation(directive: unknown, source: unknown, page: unknown): Report {
  // In `violated-directive` the sources that the policy allows stand behind the name.
  const [name = ''] = plainText(directive).split(' ', 1);
  return {
    kind: 'csp',
    directive: /^[a-z-]{1,40}$/.test(name) ? name : 'unknown',
    blocked: originOf(source),
    page: pageOf(page),
  };
}

/** The origin of an address, without path and query, which may hold a token. */
function originOf(source: unknown): string {
  const text = plainText(source);
  if (/^[a-z-]{1,20}$/.test(text)) return text; // `inline`, `eval`, `data`
  const origin = URL.parse(text)?.origin ?? 'null'; // as of an address that has no origin, such as `data:x`
  return origin === 'null' || origin.length > 100 ? 'unknown' : origin;
}

/** The route of a page: its path may hold any text, as that of a product does. */
function pageOf(page: unknown): string {
  return routeOf(URL.parse(plainText(page))?.pathname ?? '') ?? 'another';
}

/** A message without what may be personal, in printable ASCII so that it stays one line. */
function impersonal(message: string): string {
  return withoutQuoted(message.slice(0, MAX_READ_CHARS))
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/\S*/gi, '(address)')
    .replaceAll(/\S*@\S*/g, '(email)')
    .replaceAll(/\S*[?&#=/\\]\S*/g, '(address)')
    .replaceAll(/\b[\w-]*\d[\w-]*\b/g, '#')
    .replaceAll('…', '...')
    .replaceAll(/[^ -~]+/g, ' ')
    .slice(0, MAX_MESSAGE_CHARS);
}

/** A mark that begins a quoted text, and the one that ends it. An apostrophe within a word begins none. */
const MARKS = [
  ['"', '"'],
  [String.raw`(?<!\p{L})'`, "'"],
  ['`', '`'],
  ['“', '”'],
] as const;

/**
 * Replaces all from the first mark of a kind to the last one, because a quoted text may hold marks itself.
 * Where the last one is missing, or may have been cut off, nothing stays behind the first.
 */
function withoutQuoted(message: string): string {
  const mayBeCut = message.length >= LONGEST_FROM_PAGE;
  return MARKS.reduce((text, [first, last]) => {
    const toTheEnd = `${first}.*`;
    const quoted = mayBeCut ? toTheEnd : `${first}.*${last}|${toTheEnd}`;
    return text.replace(new RegExp(quoted, 'su'), '"…"');
  }, message);
}

/** Limits the lines of the log. @param now in milliseconds since 1970 */
export function lineBudget(perMinute: number, now: () => number) {
  let minute = -1;
  let taken = 0;
  return {
    /** Whether one more line may be written. */
    take(): boolean {
      const current = Math.floor(now() / 60_000);
      if (current !== minute) [minute, taken] = [current, 0];
      taken += 1;
      return taken <= perMinute;
    },
  };
}

function isObject(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
