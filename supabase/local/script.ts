import { messageWithoutStop, PlainFailure } from './failures.ts';

/**
 * Runs a command of package.json. If the command fails, prints the failure as one sentence, or with its stack
 * trace when DEBUG is set, and ends the process with status 1.
 */
export async function runScript(command: () => Promise<void> | void): Promise<void> {
  try {
    await command();
  } catch (thrown) {
    if (process.env['DEBUG']) console.error(thrown);
    else if (thrown instanceof PlainFailure) console.error(thrown.message);
    else console.error(`This did not work: ${messageWithoutStop(thrown)}. DEBUG=1 shows where.`);
    process.exit(1);
  }
}
