import './ui/base.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { auth } from './account/auth.ts';
import { startAccount } from './account/start.ts';
import { startCatalogue } from './db/catalogue-store.ts';
import { connection } from './db/connection.ts';
import { firstRead } from './db/live-store.ts';
import { shopperStore } from './db/shopper-store.ts';
import { catalogueRemote } from './remote/catalogue.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from './remote/config.ts';
import { App } from './shell/app.tsx';
import { keepFirstScreen, takeOverFirstScreen } from './shell/first-screen.ts';
import { registerServiceWorker } from './shell/service-worker.ts';
import { syncCatalogue } from './sync/catalogue.ts';
import { laterWithPatience } from './sync/later.ts';

/** Opens the database, draws the shell over what it holds, starts the sync. */
async function start(root: HTMLElement): Promise<void> {
  await connection.open();
  // A screen kept from the last visit is standing there: it is replaced by the same in one step.
  const onStorageError = (error: unknown) => connection.recoverFrom(error);
  await Promise.all([startCatalogue(), startAccount(onStorageError), firstRead(shopperStore)]);
  // Nothing may happen between looking at the one and drawing the other.
  const giveBackFocus = takeOverFirstScreen();
  flushSync(() => createRoot(root).render(<App />));
  giveBackFocus();

  let stopSync = sync();
  connection.subscribe(() => {
    stopSync();
    stopSync = sync();
  });
  keepFirstScreen(root);
  registerServiceWorker();
}

/** Keeps the open database and the backend the same. Returns what stops it. */
function sync(): () => void {
  const { db } = connection;
  const onStorageError = (error: unknown) => connection.recoverFrom(error);
  const remote = catalogueRemote({ url: BACKEND_URL, key: PUBLISHABLE_KEY });
  const stopCatalogue = syncCatalogue(db, remote, onStorageError);
  const stopShopper = laterWithPatience(
    () => import('./shopper-sync.ts'),
    ({ startShopperSync }) => startShopperSync(db, auth, onStorageError),
  );
  return () => {
    stopCatalogue();
    stopShopper();
  };
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has lost its #root');
void start(root);
