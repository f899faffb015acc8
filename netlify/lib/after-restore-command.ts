/**
 * `npm run after-restore -- 2026-11-21T10:00Z` lists the payments since the backup of that time which
 * are not in the database. Exit code: 0 for none, 1 for some, 2 where the list may lack some, because the
 * time is wrong, a provider was not asked, or a provider or the database did not answer.
 */
import { findForgottenPayments, describePayment } from './after-restore.ts';
import { replaceControls } from './escape.ts';
import { netlifyPorts } from './netlify-ports.ts';

const TIME = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Null for text that is no time, for a day that its month does not have, and for a time in the future. */
function parseTime(text: string): Date | null {
  const [, year, month, day] = TIME.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = new Date(text);
  // `Date` reads 31 February as 3 March. `Date.UTC` counts months from 0: day 0 after `month` is its last.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= lastDay && at.getTime() <= Date.now() ? at : null;
}

/** @returns the exit code */
async function run(time = ''): Promise<number> {
  const since = parseTime(time);
  if (since === null) {
    console.error('Say when the backup was made: npm run after-restore -- 2026-11-21T10:00Z');
    return 2;
  }
  const ports = netlifyPorts((name) => process.env[name]);
  const { forgotten, compared, unasked } = await findForgottenPayments(ports, since);
  for (const payment of forgotten) console.log(describePayment(payment));
  for (const reason of unasked) console.error(`Not asked: ${replaceControls(reason)}`);
  console.error(`${compared} payments compared, ${forgotten.length} that no order counts.`);
  // The list must not pass for a whole one where it lacks a provider's payments.
  if (unasked.length > 0) return 2;
  return forgotten.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await run(process.argv[2]);
} catch (thrown) {
  // The message alone: its cause may hold the request, which is confidential.
  console.error(replaceControls(thrown instanceof Error ? thrown.message : String(thrown)));
  process.exitCode = 2;
}
