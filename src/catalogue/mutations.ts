import { connection } from '../db/connection.ts';

/** Deletes the failed load of the catalogue; the sync sees that and tries again. */
export async function tryAgain(): Promise<void> {
  await connection.opened();
  const { forgetResult } = await import('../db/catalogue-log.ts');
  await forgetResult(connection.catalogue).catch((error: unknown) => connection.recoverFrom(error));
}
