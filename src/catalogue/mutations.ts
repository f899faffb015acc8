import { connection } from '../db/connection.ts';

/** Makes the sync fetch the shop's products now: it runs when the result of its last run is deleted. */
export async function fetchCatalogue(): Promise<void> {
  await connection.opened();
  const { forgetResult } = await import('../db/catalogue-log.ts');
  await forgetResult(connection.catalogue).catch((error: unknown) => connection.recoverFrom(error));
}
