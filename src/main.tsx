import './ui/base.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { startCatalogue } from './catalogue/queries.ts';
import { connection } from './db/connection.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { App } from './shell/app.tsx';
import { keepFirstScreen, takeOverFirstScreen } from './shell/first-screen.ts';
import { registerServiceWorker } from './shell/service-worker.ts';
import { syncCatalogue } from './sync/catalogue.ts';

/** Opens the database, draws the shell over what it holds, starts the sync. */
async function start(root: HTMLElement): Promise<void> {
  await connection.open();
  // A screen kept from the last visit is standing there: it is replaced by the same in one step.
  await startCatalogue();
  // Nothing may happen between looking at the one and drawing the other.
  const giveBackFocus = takeOverFirstScreen();
  flushSync(() => createRoot(root).render(<App />));
  giveBackFocus();

  const remote = catalogueRemote({ url: BACKEND_URL, key: PUBLISHABLE_KEY });
  const sync = () => syncCatalogue(connection.db, remote, (error) => connection.recoverFrom(error));
  let stopSync = sync();
  connection.subscribe(() => {
    stopSync();
    stopSync = sync();
  });

  keepFirstScreen(root);
  registerServiceWorker();
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has lost its #root');
void start(root);
