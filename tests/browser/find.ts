/**
 * Which Chromium the tests, benches and screenshots run, and how a machine without one gets it.
 *
 * In this order: the one that CHROMIUM_PATH names, an installed Chrome, Chromium or Edge, one that
 * Playwright has downloaded, and then installers: Playwright's, which cannot reach its server
 * from everywhere, and the distribution's, which only root may run.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const { env } = process;

/** The folder of playwright-core. */
const PLAYWRIGHT = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));

/** No browser could be found or installed. The message is a sentence that says what to do. */
export class NoBrowserError extends Error {}

let chromiumPath: string | undefined;

/**
 * The path of a Chromium; installs one when this machine has none.
 * @throws NoBrowserError
 */
export function findChromium(): string {
  chromiumPath ??= namedChromium() ?? installedChromium() ?? install();
  return chromiumPath;
}

function namedChromium(): string | undefined {
  const named = env['CHROMIUM_PATH'];
  if (!named) return undefined;
  if (isProgram(named) && doesStart(named)) return named;
  throw new NoBrowserError(`CHROMIUM_PATH names ${named}, and that is not a browser that starts.`);
}

const APT = ['apt-get', '-q', '-o', 'DPkg::Lock::Timeout=600'];
const APT_INSTALL = [...APT, 'install', '-y', '--no-install-recommends', 'fonts-liberation'];
/** Commands, of which the later ones are tried while there is no browser. */
const INSTALLERS: readonly (readonly string[])[] = [
  [process.execPath, join(PLAYWRIGHT, 'cli.js'), 'install', 'chromium-headless-shell'],
  [...APT, 'update'],
  // Not every Debian has it.
  [...APT_INSTALL, 'chromium-headless-shell'],
  [...APT_INSTALL, 'chromium'],
  ['dnf', 'install', '-y', 'liberation-fonts', 'chromium'],
  ['apk', 'add', 'font-liberation', 'chromium'],
];

/** Installs a browser, and shows what the installers print. Returns its path. */
function install(): string {
  for (const [program = '', ...args] of INSTALLERS) {
    console.error(`No Chromium on this machine yet: ${program} ${args.join(' ')}`);
    const installing = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync(program, args, {
      env: installing,
      stdio: ['ignore', process.stderr, process.stderr],
    });
    const path = installedChromium();
    if (path) return path;
  }
  throw new NoBrowserError(
    'The browser tests need Chromium, Chrome or Edge, and none was found or could be installed: ' +
      'install one (on Debian or Ubuntu: sudo apt-get install chromium), or set CHROMIUM_PATH to its path.',
  );
}

/** The path of a browser that is already on the machine. */
function installedChromium(): string | undefined {
  const folders = (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin:/snap/bin').split(delimiter);
  const onPath = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const programFiles = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = env[name];
    return folder ? WINDOWS.map((path) => join(folder, path)) : [];
  });
  const apps = process.platform === 'darwin' ? MAC : [];
  const candidates = [...onPath, ...apps, ...programFiles, ...downloaded()];
  return candidates.find((path) => isProgram(path) && doesStart(path));
}

/** Names of browsers on the command path, the preferred ones first. */
const COMMANDS = [
  // The first choice, because without the parts for a window it opens a page in half the time.
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];
/** Paths of browsers on macOS. */
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
/** Paths of browsers on Windows, below the folders of programs. */
const WINDOWS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
];

/** On a busy machine a browser that is not in the disk cache takes seconds to start. */
const START_TIMEOUT_MS = 30_000;

/** Paths of the browsers that Playwright has downloaded; of each kind the newest first. */
function downloaded(): string[] {
  const folder = downloadFolder();
  const programs = [
    'chrome',
    'chrome-headless-shell',
    'headless_shell',
    'Google Chrome for Testing',
  ];
  const pattern = `chromium*/**/{${programs.flatMap((name) => [name, `${name}.exe`]).join(',')}}`;
  const inOrder = new Intl.Collator('en', { numeric: true });
  const newestFirst = globSync(pattern, { cwd: folder }).sort(inOrder.compare).reverse();
  return newestFirst.map((path) => join(folder, path));
}

/** Where Playwright keeps its browsers. Source: its manual, "Managing browser binaries". */
function downloadFolder(): string {
  const named = env['PLAYWRIGHT_BROWSERS_PATH'];
  if (named === '0') return join(PLAYWRIGHT, '.local-browsers'); // 0: inside Playwright's own package
  if (named !== undefined) return named;
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library/Caches/ms-playwright');
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? home, 'ms-playwright');
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'ms-playwright');
}

/**
 * Whether the program runs. A downloaded browser may lack system libraries, and Ubuntu's
 * `chromium-browser` may only say which snap to install.
 */
function doesStart(path: string): boolean {
  // On Windows `--version` opens a window instead of printing the version.
  return (
    process.platform === 'win32' ||
    spawnSync(path, ['--version'], { timeout: START_TIMEOUT_MS }).status === 0
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
