import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'vite';
import { buildSite } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { type Figure, figure } from './report.ts';

/** The most that the first screen's scripts may weigh, gzip level 9. */
export const FIRST_SCREEN_LIMIT_BYTES = 100_000;

/** The most that all files that the service worker precaches may weigh, gzip level 9. */
export const PRECACHE_LIMIT_BYTES = 285_000;

/** Part of a message in supabase-js, which no minifier removes. */
const SUPABASE_MARKER = 'GoTrueClient';

export interface SiteFile {
  /** Relative to the built folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly gzipBytes: number;
}

/** The scripts without which a built site cannot be used. */
export interface FirstScreen {
  readonly scripts: readonly SiteFile[];
  /** Of all scripts together. */
  readonly gzipBytes: number;
  /** Scripts that contain supabase-js; none should. */
  readonly withSupabase: readonly string[];
}

/**
 * The scripts that must arrive before a built site can be used: the modules that `index.html` loads,
 * preloads or names (`<meta name="shop">`), and their static imports. Dynamic imports do not count.
 */
export function firstScreenOf(folder: string): FirstScreen {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const unvisited = [...html.matchAll(/<(?:script|link|meta)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => /\btype="module"|\brel="modulepreload"|\bname="shop"/.test(tag))
    .flatMap((tag) => /\b(?:src|href|content)="\/([^"]+)"/.exec(tag)?.[1] ?? []);
  if (unvisited.length === 0) throw new Error(`${folder}/index.html loads no module`);
  const paths = new Set<string>();
  for (let path = unvisited.pop(); path !== undefined; path = unvisited.pop()) {
    if (paths.has(path)) continue;
    paths.add(path);
    unvisited.push(...staticImports(join(folder, path)).map((name) => resolveImport(name, path)));
  }
  const scripts = [...paths].map((path) => sizesOf(folder, path));
  return {
    scripts,
    gzipBytes: sum(scripts, 'gzipBytes'),
    withSupabase: [...paths].filter((path) =>
      readFileSync(join(folder, path), 'utf8').includes(SUPABASE_MARKER),
    ),
  };
}

/** Everything that the service worker puts on the device when it is installed. */
export function precacheOf(folder: string): SiteFile[] {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8');
  // Workbox writes the precache manifest into sw.js as `{revision, url}`.
  const entries = worker.matchAll(/\{"?revision"?:[^,{}]+,"?url"?:["'`]([^"'`]+)["'`]\}/g);
  return [...entries].flatMap(([, path]) => (path === undefined ? [] : [sizesOf(folder, path)]));
}

/** The sizes of the first screen's scripts and of the precache, gzip level 9. */
export async function measureBytes(): Promise<Figure[]> {
  expectMarker();
  await using folder = await temporaryFolder();
  const site = folder.path;
  await buildSite(site);
  const { scripts, gzipBytes, withSupabase } = firstScreenOf(site);
  const precache = precacheOf(site);
  if (precache.length === 0) throw new Error('the service worker precaches nothing');
  const first = new Set(scripts.map(({ path }) => path));
  const later = precache.filter(({ path }) => !first.has(path));
  return [
    ...scripts.map((file) => figure(`first screen: ${file.path}`, file.gzipBytes, 'bytes gzip')),
    figure('first-screen-js', gzipBytes, 'bytes gzip', FIRST_SCREEN_LIMIT_BYTES),
    figure('first-screen scripts with supabase-js', withSupabase.length, 'files', 0),
    ...later.map((file) => figure(`precache: ${file.path}`, file.gzipBytes, 'bytes gzip')),
    figure('service worker', sizesOf(site, 'sw.js').gzipBytes, 'bytes gzip'),
    figure('precache', sum(precache, 'gzipBytes'), 'bytes gzip', PRECACHE_LIMIT_BYTES),
    figure('precache on the device', sum(precache, 'sizeBytes'), 'bytes'),
  ];
}

/** What a script imports statically, as written in it. */
function staticImports(file: string): string[] {
  return parseAst(readFileSync(file, 'utf8')).body.flatMap((statement) => {
    switch (statement.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        return statement.source ? [statement.source.value] : [];
      default:
        return [];
    }
  });
}

/** The path of an import in the built folder. @param from the path of the importing script */
function resolveImport(name: string, from: string): string {
  return new URL(name, `http://site/${from}`).pathname.slice(1);
}

function sizesOf(folder: string, path: string): SiteFile {
  const bytes = readFileSync(join(folder, path));
  return { path, sizeBytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length };
}

/** The sum of one kind of size over all files, in bytes. */
export function sum(files: readonly SiteFile[], field: 'sizeBytes' | 'gzipBytes'): number {
  return files.reduce((total, file) => total + file[field], 0);
}

/** Fails when supabase-js lacks the marker: a site without the marker would then prove nothing. */
function expectMarker(): void {
  const supabase = createRequire(import.meta.url).resolve('@supabase/supabase-js');
  const auth = createRequire(supabase).resolve(`@supabase/auth-js`);
  const code = readFileSync(join(dirname(auth), 'GoTrueClient.js'), 'utf8');
  if (!code.includes(`Multiple ${SUPABASE_MARKER} instances`)) {
    throw new Error(`supabase-js can no longer be told by "${SUPABASE_MARKER}"`);
  }
}
