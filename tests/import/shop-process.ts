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
    const port = this.#url && new URL(this.#url).port;
    const args = [this.#dataFolder, port || '0', this.#siteFolder];
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];
    const child = fork(SCRIPT, args, { execArgv: [], stdio });
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('a pipe is missing');
    this.#child = child;
    createInterface(stderr).on('line', (line) => this.errorLines.push(line));
    const opened = once(createInterface(stdout), 'line');
    const [line] = await Promise.race([opened, once(child, 'exit').then(() => [null])]);
    if (typeof line !== 'string') {
      throw new Error(`The shop did not open:\n${this.errorLines.join('\n')}`);
    }
    this.#url = line;
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
