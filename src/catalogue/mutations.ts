import { connection } from '../db/connection.ts';
import { forgetAttempt } from '../db/catalogue-log.ts';

/** Asks for another attempt to load the catalogue: the sync sees that the last one is gone. */
export function tryAgain(): void {
  forgetAttempt(connection.db).catch((error: unknown) => connection.recoverFrom(error));
}
