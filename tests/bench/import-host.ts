/** A page for the import bench, and a shop that answers every part at once. */
import { createServer, type IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/browser.ts';
import { listen } from '../browser/listen.ts';
import { bundle } from './bench-page.ts';
import { rendererMemory, type RendererMemory } from './renderer-memory.ts';

type InPage = typeof import('./import-in-page.ts');

/** A browser, and the shop to which its pages send parts. */
export interface ImportBench {
  /** Measures the parts that the most recently opened page has sent. */
  measureSent(): SentBytes;
  /** Opens a new page in which the file at this path is chosen. */
  openPage(file: string): Promise<ImportPage>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Total sizes in bytes. */
export interface SentBytes {
  /** Of the requests' bodies. */
  readonly bodies: number;
  /** Of the texts of the same parts, each packed by `gzip -6`. */
  readonly gzip: number;
}

export interface ImportPage {
  /** The memory of this page's process. */
  readonly memory: RendererMemory;
  /** Calls a function of import-in-page.ts. */
  call<Name extends keyof InPage>(name: Name): Promise<Awaited<ReturnType<InPage[Name]>>>;
  [Symbol.asyncDispose](): Promise<void>;
}

const PAGE = '<!doctype html><title>Bench</title><input type="file"><p>Idle</p>';
/** The answer of upload-csv to each part. The bench does not use the counts. */
const PART_STORED = JSON.stringify({
  message: 'Import successful! Processed 0 records.',
  processed_count: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  off_sale: 0,
  rejected: [],
  rejected_count: 0,
});

const NONE_UNFINISHED = JSON.stringify({ may_import: true, unfinished: null });

export async function openImportBench(): Promise<ImportBench> {
  const source = (name: string) => bundle(new URL(name, import.meta.url));
  const scripts: Readonly<Record<string, string>> = {
    '/bench.js': await source('./import-in-page.ts'),
    '/decode.js': await source('./import-decode-worker.ts'),
    '/post.js': await source('./import-post-worker.ts'),
    '/worker.js': await source('../../src/import/worker/worker.ts'),
  };
  let bodies: Buffer[] = [];
  const answerTo = ({ method, url = '' }: IncomingMessage): [type: string, text: string] => {
    if (method === 'POST') return ['application/json', PART_STORED];
    if (url.startsWith('/.netlify/functions/imports')) return ['application/json', NONE_UNFINISHED];
    // The parts that were sent, which `import-post-worker.ts` posts again for the baseline.
    if (url === '/parts.json') return ['application/json', JSON.stringify(bodies.map(textOf))];
    const script = scripts[url];
    return script === undefined ? ['text/html', PAGE] : ['text/javascript', script];
  };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.method === 'POST') bodies.push(Buffer.concat(pieces));
      const [type, text] = answerTo(request);
      response.writeHead(200, { 'content-type': type }).end(text);
    });
  });
  const port = await listen(server);
  const browser = await launchBrowser();
  return {
    measureSent: () => ({
      bodies: sizeOf(bodies),
      gzip: sizeOf(bodies.map((body) => gzipSync(textOf(body)))),
    }),
    openPage(file) {
      bodies = [];
      return openPage(browser, `http://localhost:${port}/`, file);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text of the part in a request's body. */
function textOf(body: Buffer): string {
  const { csvGzip } = JSON.parse(body.toString()) as { csvGzip: string };
  return gunzipSync(Buffer.from(csvGzip, 'base64')).toString();
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Opens a page in a new context, which has its own process: the memory of earlier pages is not counted. */
async function openPage(browser: Browser, url: string, file: string): Promise<ImportPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.setInputFiles('input', file);
  const memory = await rendererMemory(browser);
  return {
    memory,
    // `never`, because the script inside the text decides the type.
    call: (name) => page.evaluate<never>(`import('/bench.js').then((m) => m.${name}())`),
    async [Symbol.asyncDispose]() {
      memory.stop();
      await context.close();
    },
  };
}
