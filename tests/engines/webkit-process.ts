/** Processes of WebKitGTK, which needs a message bus and a display: here Xvfb, which has no screen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
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
      // Waits for the whole group: the children of `xvfb-run` are WebKit's, which write the profile.
      const { pid } = child;
      if (pid === undefined) return;
      for (let tries = 0; signal(pid, tries === 0 ? 'SIGTERM' : 0); tries += 1) {
        if (tries > MAX_TRIES) signal(pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
}

/** A group that still runs after this many checks, ten a second, is killed. */
const MAX_TRIES = 100;

/** Sends a signal, or 0 for none. Returns whether a process of the group still runs. */
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

/** Repeats an attempt to connect until the program answers. @throws the last error, after 30 s */
export async function retryConnect<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 150) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
