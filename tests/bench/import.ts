import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../supabase/shop.ts';
import { measureRepeatedImport } from './import-again.ts';
import { UNCLOSED_QUOTE_LINE, writeProducts, writeUnclosedQuote } from './import-files.ts';
import { type ImportBench, openImportBench } from './import-host.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const ROWS = 200_000;
/** Rows of the file that is imported twice. */
const ROWS_AGAIN = 100_000;
const ROUNDS = 3;
/** Times the duration of reading and decoding the file. */
const CHECK_LIMIT = 5;
/** Above the longest gap of the idle page. */
const FRAME_GAP_LIMIT_MS = 50;
const MEMORY_LIMIT_MB = 300;
/** Times the duration of a loop that packs and posts the same parts, which are ready before it. */
const SEND_LIMIT = 1.3;
/** Times the bytes of the same parts packed by `gzip -6`; base64 alone is 1.33 times. */
const SENT_BYTES_LIMIT = 1.4;
/** Size of the file with an unclosed quotation mark, and what its check may take. */
const FAULT_BYTES = 60_000_000;
const FAULT_LIMIT_MS = 2000;
const FAULT_MEMORY_LIMIT_MB = 100;

/**
 * Checking and sending a file of 200,000 rows, against only reading and decoding it; a file whose
 * quotation mark is never closed; and a file that has been imported before.
 */
export async function measureImport(): Promise<Figure[]> {
  await using folder = await temporaryFolder();
  const repeatedFile = join(folder.path, 'again.csv');
  writeProducts(repeatedFile, ROWS_AGAIN);
  await using bench = await openImportBench();
  return [
    ...(await measureLarge(bench, join(folder.path, 'large.csv'))),
    ...(await measureFault(bench, join(folder.path, 'quote.csv'))),
    ...(await measureRepeatedImport(repeatedFile, ROWS_AGAIN)),
  ];
}

async function measureLarge(bench: ImportBench, path: string): Promise<Figure[]> {
  writeProducts(path, ROWS);
  const megabytes = statSync(path).size / 1e6;
  const timesMs = {
    decode: [] as number[],
    parse: [] as number[],
    collect: [] as number[],
    check: [] as number[],
    send: [] as number[],
    post: [] as number[],
  };
  const gaps = { idle: [] as number[], busy: [] as number[] };
  const memory = { check: [] as number[], send: [] as number[] };
  const sentBytes = { bodies: [] as number[], gzip: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const task of ['decode', 'parse', 'collect'] as const) {
      timesMs[task].push(await baselineOf(bench, path, task));
    }
    await using page = await bench.openPage(path);
    gaps.idle.push((await page.call('idle')).frameGapMs);
    const checked = await page.call('check');
    if (checked.outcome.kind !== 'checked' || checked.outcome.check.accepted !== ROWS) {
      throw new Error(`the check found something else: ${JSON.stringify(checked.outcome)}`);
    }
    timesMs.check.push(checked.ms);
    memory.check.push(page.memory.peakMbSinceLastCall());
    const sent = await page.call('send');
    if (sent.outcome.kind !== 'done') throw new Error(`not sent: ${JSON.stringify(sent.outcome)}`);
    timesMs.send.push(sent.ms);
    gaps.busy.push(Math.max(checked.frameGapMs, sent.frameGapMs));
    memory.send.push(page.memory.peakMbSinceLastCall());
    const { bodies, gzip } = bench.measureSent();
    sentBytes.bodies.push(bodies);
    sentBytes.gzip.push(gzip);
    timesMs.post.push(await page.call('post'));
  }
  console.log(`${ROWS} rows, ${megabytes.toFixed(0)} MB, in Chromium, ${ROUNDS} rounds`);
  return [
    figure('file', megabytes, 'MB'),
    figure('only reading and decoding', median(timesMs.decode), 'ms'),
    figure('reading, and Papa Parse alone', median(timesMs.parse), 'ms'),
    figure('reading, and a map of its lines', median(timesMs.collect), 'ms'),
    figure('check', median(timesMs.check), 'ms'),
    figure('check to reading', ratioOf(timesMs.check, timesMs.decode), 'times', CHECK_LIMIT),
    figure('sending', median(timesMs.send), 'ms'),
    figure('sent', median(sentBytes.bodies) / 1e6, 'MB'),
    figure(
      'sent to gzip -6 of the same parts',
      ratioOf(sentBytes.bodies, sentBytes.gzip),
      'times',
      SENT_BYTES_LIMIT,
    ),
    figure('only packing and posting', median(timesMs.post), 'ms'),
    figure('sending to posting', ratioOf(timesMs.send, timesMs.post), 'times', SEND_LIMIT),
    figure('longest frame gap', median(gaps.busy), 'ms'),
    figure(
      'longest frame gap above that of the idle page',
      Math.max(0, median(gaps.busy) - median(gaps.idle)),
      'ms',
      FRAME_GAP_LIMIT_MS,
    ),
    figure('memory of the check', Math.max(...memory.check), 'MB', MEMORY_LIMIT_MB),
    figure('memory of the sending', Math.max(...memory.send), 'MB', MEMORY_LIMIT_MB),
  ];
}

/** Milliseconds of a baseline in a page of its own, whose memory is not counted for the check. */
async function baselineOf(
  bench: ImportBench,
  path: string,
  task: 'decode' | 'parse' | 'collect',
): Promise<number> {
  await using page = await bench.openPage(path);
  return (await page.call(task)).ms;
}

/** Measures a check until its sentence about the unclosed quotation mark. */
async function measureFault(bench: ImportBench, path: string): Promise<Figure[]> {
  writeUnclosedQuote(path, FAULT_BYTES);
  await using page = await bench.openPage(path);
  const { ms, outcome } = await page.call('check');
  if (outcome.kind !== 'fault' || outcome.fault.line !== UNCLOSED_QUOTE_LINE) {
    throw new Error(
      `another fault than the quotation mark on line ${UNCLOSED_QUOTE_LINE}: ${JSON.stringify(outcome)}`,
    );
  }
  const peakMb = page.memory.peakMbSinceLastCall();
  console.log(`${FAULT_BYTES / 1e6} MB with an unclosed quotation mark: ${outcome.fault.sentence}`);
  return [
    figure('unclosed quote: sentence', ms, 'ms', FAULT_LIMIT_MS),
    figure('unclosed quote: memory', peakMb, 'MB', FAULT_MEMORY_LIMIT_MB),
  ];
}
