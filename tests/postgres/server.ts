/**
 * A temporary PostgreSQL server. Uses the programs of this machine, or installs them where this process is
 * root. The data are in a temporary folder, which is removed when the server stops.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { listenOnLoopback } from '../../netlify/local/provider/server.ts';

/** A running server. */
export interface PostgresServer {
  /** As `postgres --version` prints it. */
  readonly version: string;
  /** Connects to its only database as superuser. */
  readonly url: string;
  stop(): void;
}

/** Starts a server. @throws when PostgreSQL is missing and cannot be installed */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms() ?? install();
  const folder = mkdtempSync(join(tmpdir(), 'weft-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  // PostgreSQL does not run as root; its package adds the user `postgres`.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    chownSync(folder, id('-u'), id('-g'));
  }
  const run = (program: string, args: readonly string[]): string => {
    const command = [join(programs, program), ...args];
    const [executable = '', ...parameters] = isRoot
      ? ['runuser', '-u', 'postgres', '--', ...command]
      : command;
    return execFileSync(executable, parameters, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  try {
    run('initdb', ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--auth=trust', '--no-sync']);
    const settings = [
      `-p ${port}`,
      `-k ${folder}`,
      '-c listen_addresses=127.0.0.1',
      // Deadlocks are found ten times as soon as by default.
      '-c deadlock_timeout=100ms',
      '-c log_lock_waits=off',
    ].join(' ');
    run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
  return {
    version: run('postgres', ['--version']).trim(),
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of initdb and pg_ctl. Debian has one folder for each version, and none is on the PATH. */
export function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/opt/homebrew/opt/postgresql/bin',
    '/usr/local/opt/postgresql/bin',
  ];
  return folders.find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
  );
}

function install(): string {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) {
    throw new Error(
      'These tests need a PostgreSQL server (15 or newer), and there is none on this machine. ' +
        'Install it, for example with `sudo apt-get install postgresql` or `brew install postgresql`.',
    );
  }
  const options = {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  execFileSync('apt-get', ['update', '-q'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', 'postgresql'],
    options,
  );
  const programs = findPrograms();
  if (programs === undefined)
    throw new Error('apt-get installed PostgreSQL, but initdb was not found.');
  return programs;
}

async function freePort(): Promise<string> {
  const server = await listenOnLoopback();
  await server.close();
  return new URL(server.url).port;
}
