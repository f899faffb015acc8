import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** The machine on which a browser is looked for. A test may describe a machine of its own. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** Shows a text to the user. */
  readonly log: (text: string) => void;
}

/** How an installer ended. */
export interface InstallResult {
  /** Whether it ended without an error. */
  readonly isDone: boolean;
  /** What the installer printed. */
  readonly output: string;
}

/** A program that can install a browser. */
export interface Installer {
  readonly name: string;
  readonly run: () => Promise<InstallResult>;
}

/**
 * An installer that makes no progress for this long is ended. A download reports its progress as a
 * percentage; a package manager may be silent for longer.
 */
const MAX_DOWNLOAD_STALL_MS = 60_000;
const MAX_PACKAGES_STALL_MS = 300_000;

/** The folder of playwright-core. */
export const PLAYWRIGHT = dirname(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
);

/** The installers that this machine can try, in this order. */
export function installers({ env, isRoot }: Machine): Installer[] {
  const download: Installer = {
    name: "Playwright's download of Chromium",
    run: () =>
      runAll(
        [[process.execPath, join(PLAYWRIGHT, 'cli.js'), 'install', 'chromium-headless-shell']],
        env,
        MAX_DOWNLOAD_STALL_MS,
      ),
  };
  const packages = isRoot ? PACKAGES.filter(([command]) => isOnPath(command, env)) : [];
  return [
    download,
    ...packages.map(([command, ...calls]): Installer => ({
      name: `${command} ${calls.at(-1)?.at(-1)}`, // the last argument is the browser's package
      run: () =>
        runAll(
          calls.map((call) => [command, ...call]),
          { ...env, DEBIAN_FRONTEND: 'noninteractive' },
          MAX_PACKAGES_STALL_MS,
        ),
    })),
  ];
}

const APT_INSTALL = ['install', '-y', '--no-install-recommends', 'fonts-liberation'];
/** Package managers and the arguments of each call. Not every Debian has chromium-headless-shell. */
const PACKAGES: readonly (readonly [command: string, ...calls: (readonly string[])[]])[] = [
  ['apt-get', ['update'], [...APT_INSTALL, 'chromium-headless-shell']],
  ['apt-get', [...APT_INSTALL, 'chromium']],
  ['dnf', ['install', '-y', 'liberation-fonts', 'chromium']],
  ['apk', ['add', 'font-liberation', 'chromium']],
];

function isOnPath(command: string, env: Machine['env']): boolean {
  const folders = (env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, command)));
}

/** Runs one command after another until one fails. */
async function runAll(
  commands: readonly (readonly string[])[],
  env: Machine['env'],
  maxStallMs: number,
): Promise<InstallResult> {
  let output = '';
  for (const [program = '', ...args] of commands) {
    const result = await run(program, args, env, maxStallMs);
    output += result.output;
    if (!result.isDone) return { isDone: false, output };
  }
  return { isDone: true, output };
}

/** Runs a command, and ends it when it makes no progress. */
function run(
  program: string,
  args: readonly string[],
  env: Machine['env'],
  maxStallMs: number,
): Promise<InstallResult> {
  return new Promise((resolve) => {
    // A new process group, so that the installer's child processes can be ended with it.
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    const giveUp = () => {
      output += `\nNo progress for ${maxStallMs / 1000} s; given up.`;
      endGroup(child);
    };
    let timer = setTimeout(giveUp, maxStallMs);
    let lastPercent: string | undefined;
    const onOutput = (text: Buffer) => {
      output += text.toString();
      const percent = /\d+%/.exec(text.toString())?.[0];
      const isNewPercent = percent !== undefined && percent !== lastPercent;
      // Once a percentage was printed, only another percentage counts as progress.
      if (lastPercent !== undefined && !isNewPercent) return;
      lastPercent = percent;
      clearTimeout(timer);
      timer = setTimeout(giveUp, maxStallMs);
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      resolve({ isDone, output });
    };
    child.on('error', (error) => {
      output += error.message;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** Kills a process and its children. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return; // it did not start
  try {
    process.kill(-child.pid, 'SIGKILL'); // a negative id stands for the process group
  } catch {
    child.kill('SIGKILL'); // Windows has no process groups
  }
}
