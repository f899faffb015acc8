import { messageOf, PlainFailure } from './failures.ts';

/**
 * Runs a command of package.json. It prints a failure as one sentence, and the command ends with
 * status 1. A bug keeps its stack trace when DEBUG is set.
 */
export async function runScript(command: () => Promise<void> | void): Promise<void> {
  try {
    await command();
  } catch (thrown) {
    if (process.env['DEBUG']) console.error(thrown);
    else if (thrown instanceof PlainFailure) console.error(thrown.message);
    else console.error(`This did not work: ${messageOf(thrown)}. DEBUG=1 shows where.`);
    process.exit(1);
  }
}
