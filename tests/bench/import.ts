import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { csvLine } from '../../src/csv/write.ts';
import { generateProducts } from '../../supabase/local/generate.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { type ImportBench, openImportBench } from './import-host.ts';
import { type Figure, figure, median, ratioOf } from './report.ts';

const ROWS = 200_000;
/** How many garments are generated. The file repeats them, each time with other stock codes. */
const GARMENTS = 10_000;
const ROUNDS = 3;
/** At most so many times the duration of reading and decoding the file. */
const CHECK_LIMIT = 5;
/** At most so much above the longest gap of the idle page. */
const FRAME_GAP_LIMIT_MS = 50;
const MEMORY_LIMIT_MB = 300;
/** At most so many times the duration of a loop that packs and posts the same parts, which are ready before it. */
const SEND_LIMIT = 1.3;
/** At most so many times the bytes of the same parts packed by `gzip -6`; base64 alone is 1.33 times. */
const SENT_BYTES_LIMIT = 1.4;

/** Checking and sending a file of 200,000 rows, against only reading and decoding it. */
export async function measureImport(): Promise<Figure[]> {
  await using folder = await temporaryFolder();
  await using bench = await openImportBench();
  const path = join(folder.path, 'large.csv');
  writeFileSync(path, fileOf(ROWS));
  const megabytes = statSync(path).size / 1e6;
  const timesMs = {
    decode: [] as number[],
    check: [] as number[],
    send: [] as number[],
    post: [] as number[],
  };
  const gaps = { idle: [] as number[], busy: [] as number[] };
  const memory = { check: [] as number[], send: [] as number[] };
  const sentBytes = { bodies: [] as number[], gzip: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    timesMs.decode.push(await timeOfDecoding(bench, path));
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

/** Milliseconds of the baseline in a page of its own, whose memory is not counted for the check. */
async function timeOfDecoding(bench: ImportBench, path: string): Promise<number> {
  await using page = await bench.openPage(path);
  return (await page.call('decode')).ms;
}

/** A file of rows of about 190 bytes, each for another product. */
function fileOf(rows: number): string {
  const garments = generateProducts(GARMENTS);
  const lines = Array.from({ length: rows }, (_, row) => {
    const product = garments[row % GARMENTS]!; // the index is below the length
    const repetition = Math.floor(row / GARMENTS);
    const cells = IMPORT_COLUMNS.map((column) => String(product[column] ?? ''));
    const [code, size, picture, ...others] = cells;
    const link = `https://pictures.shop.example/seasons/autumn-and-winter/${repetition}${picture}`;
    return csvLine([`${code}-${repetition}`, size ?? '', link, ...others]);
  });
  return [csvLine(IMPORT_COLUMNS), ...lines].join('');
}
