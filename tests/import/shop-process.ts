/** A shop in a process that can be killed, as a power cut would, and opened again on the same data. */
import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SCRIPT = join(import.meta.dirname, 'killed-shop.ts');

/** The process of one data folder. */
export class ShopProcess {
  #dataFolder: string;
  #siteFolder: string;
  #child: ChildProcess | null = null;
  #url = '';
  /** Lines that the shop wrote to stderr. */
  readonly errorLines: string[] = [];

  constructor(dataFolder: string, siteFolder: string) {
    this.#dataFolder = dataFolder;
    this.#siteFolder = siteFolder;
  }

  /** The shop's address since the last `open`. */
  get url(): string {
    return this.#url;
  }

  /** Opens the shop; when it was open before, on the same port. */
  async open(): Promise<void> {
    // Port 0 lets the system choose a free one.
    const port = this.#url === '' ? '0' : new URL(this.#url).port;
    const args = [this.#dataFolder, port, this.#siteFolder];
    // The channel `ipc` tells the child when this process has ended.
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];
    const child = fork(SCRIPT, args, { execArgv: [], stdio });
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('a pipe is missing');
    this.#child = child;
    createInterface(stderr).on('line', (line) => this.errorLines.push(line));
    const opened = once(createInterface(stdout), 'line').then(([url]) => String(url));
    const ended = once(child, 'exit').then(() => null);
    const url = await Promise.race([opened, ended]);
    if (url === null) {
      throw new Error(`The shop did not open:\n${this.errorLines.join('\n')}`);
    }
    this.#url = url;
  }

  /** Kills the process, and waits until it has ended. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
