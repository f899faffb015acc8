import { connection } from '../db/connection.ts';

/** Asks for another attempt to load the catalogue: the sync sees that the last one is gone. */
export async function tryAgain(): Promise<void> {
  await connection.opened();
  const { forgetAttempt } = await import('../db/catalogue-log.ts');
  await forgetAttempt(connection.catalogue).catch((error: unknown) =>
    connection.recoverFrom(error),
  );
}
