import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { startCatalogue } from './catalogue/queries.ts';
import { connection } from './db/connection.ts';
import { App } from './shell/app.tsx';
import { keepFirstScreen } from './shell/first-screen.ts';

/**
 * Opens the database, draws the shell over what it holds, starts the sync. What only the network
 * needs is a chunk of its own: a second visit draws without it.
 */
async function start(root: HTMLElement): Promise<void> {
  const network = import('./network.ts');
  await connection.open();
  // A screen kept from the last visit is standing there: it is replaced by the same in one step.
  await startCatalogue();
  createRoot(root).render(<App />);

  keepFirstScreen(root);
  (await network).goOnline();
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has lost its #root');
void start(root);
