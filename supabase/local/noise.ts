/**
 * Redirects what the embedded library prints to a log: every database error in full, ordinary ones
 * (a price below zero, a visitor who may not write) too. An AsyncLocalStorage marks the code that
 * serves the backend; console calls of other code print as usual.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { formatWithOptions } from 'node:util';

export type Noise = (text: string) => void;

const MAX_LOG_BYTES = 5_000_000;
const currentNoise = new AsyncLocalStorage<Noise>();

for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
  const print = console[method];
  console[method] = (...values: unknown[]) => {
    const noise = currentNoise.getStore();
    if (noise === undefined) print.apply(console, values);
    else noise(formatWithOptions({ depth: 6 }, ...values));
  };
}

/** Runs `task` and passes what it prints to `noise`. */
export function withNoise<T>(noise: Noise, task: () => T): T {
  return currentNoise.run(noise, task);
}

/** Runs `task` inside `withNoise`, but lets it print to the terminal, for the user. */
export function printToTerminal<T>(task: () => T): T {
  return currentNoise.exit(task);
}

/** Appends to a file, and starts a new one when it grows too long. */
export function noiseToFile(file: string): Noise {
  return (text) => {
    try {
      const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${text}\n`);
    } catch {
      // A log that cannot be written must not stop the shop.
    }
  };
}
