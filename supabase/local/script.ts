import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { messageWithoutStop, PlainFailure } from './failures.ts';

/** What these commands read of `.env`. Its keys are for a deployment, and must not reach a shop on this machine. */
const OWN_VARIABLES = /^(PORT|WEFT_DATA|VITE_STORE_NAME|SHOP_\w+)$/;
const ENV_FILE = join(import.meta.dirname, '../../.env');

/**
 * Runs a command of package.json with the variables that `.env` has for it. If the command fails, prints the failure
 * as one sentence, or with its stack trace when DEBUG is set, and ends the process with status 1.
 */
export async function runScript(command: () => Promise<void> | void): Promise<void> {
  try {
    takeVariables(ENV_FILE);
    await command();
  } catch (thrown) {
    if (process.env['DEBUG']) console.error(thrown);
    else if (thrown instanceof PlainFailure) console.error(thrown.message);
    else console.error(`This did not work: ${messageWithoutStop(thrown)}. DEBUG=1 shows where.`);
    process.exit(1);
  }
}

/** Sets the variables of a file that the environment does not set itself. @throws PlainFailure */
export function takeVariables(file: string): void {
  if (!existsSync(file)) return;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new PlainFailure(`${file} cannot be read: ${messageWithoutStop(thrown)}.`, {
      cause: thrown,
    });
  }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (OWN_VARIABLES.test(name) && value && !process.env[name]) process.env[name] = value;
  }
}
