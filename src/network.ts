import { connection } from './db/connection.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { registerServiceWorker } from './shell/service-worker.ts';
import { syncCatalogue } from './sync/catalogue.ts';

/** Starts all that talks to the network, on the open database and on the one that takes over. */
export function goOnline(): void {
  const remote = catalogueRemote(BACKEND_URL, PUBLISHABLE_KEY);
  const sync = () => syncCatalogue(connection.db, remote, (error) => connection.recoverFrom(error));
  let stop = sync();
  connection.subscribe(() => {
    stop();
    stop = sync();
  });
  registerServiceWorker();
}
