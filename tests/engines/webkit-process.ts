/** Processes of WebKitGTK, which needs a message bus and a display: here Xvfb, a display without a screen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../browser/listen.ts';

/** A program with its bus and display. Their processes are one group. */
export interface WebKitProcess {
  /** Ends all processes of the group, and resolves when none is left. */
  end(): Promise<void>;
}

export function startOnDisplay(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WebKitProcess {
  // Two workers that look for a free display at the same time would find the same one.
  const firstDisplay = 100 * Number(process.env['VITEST_POOL_ID'] ?? 1);
  const child: ChildProcess = spawn(
    'dbus-run-session',
    ['--', 'xvfb-run', '-a', `--server-num=${firstDisplay}`, ...command],
    {
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        ...env,
        // For root in a container there is no sandbox.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    },
  );
  return {
    async end() {
      const { pid } = child;
      if (pid === undefined) return;
      // Waits for the whole group: WebKit's processes, which write the profile, may end after `xvfb-run`.
      let isRunning = signal(pid, 'SIGTERM');
      for (let checks = 1; isRunning; checks += 1) {
        await pause(100);
        isRunning = signal(pid, checks > MAX_CHECKS ? 'SIGKILL' : 0);
      }
    },
  };
}

/** A group that still runs after this many checks, ten a second, is killed. */
const MAX_CHECKS = 100;

/** Sends a signal; 0 only checks. Returns whether a process of the group still runs. */
function signal(group: number, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const MAX_CONNECTS = 150;
const PAUSE_MS = 200;

/** Repeats an attempt to connect until the program answers. @throws the last error, after 30 s at least */
export async function retryConnect<T>(connect: () => Promise<T>): Promise<T> {
  for (let connects = 1; ; connects += 1) {
    try {
      return await connect();
    } catch (error) {
      if (connects > MAX_CONNECTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}
