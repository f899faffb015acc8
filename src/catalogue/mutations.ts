import { connection } from '../db/connection.ts';

/** Deletes the failed load of the catalogue; the sync sees that and tries again. */
export async function tryAgain(): Promise<void> {
  await connection.opened();
  const { forgetAttempt } = await import('../db/catalogue-log.ts');
  await forgetAttempt(connection.catalogue).catch((error: unknown) =>
    connection.recoverFrom(error),
  );
}
