import { liveQuery } from 'dexie';
import { fetchCatalogue } from '../catalogue/mutations.ts';
import { readResult, readState } from '../db/catalogue-log.ts';
import { connection } from '../db/connection.ts';
import { importsRemote } from '../remote/imports.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { useStore } from '../ui/use-store.ts';
import { openImportWorker } from './client.ts';
import { createImportRun, type ImportRun } from './import-run.ts';
import type { RunState } from './run-state.ts';
import { createHistory, type History, type HistoryState } from './history.ts';

/** What this tab keeps for the import page of the signed-in user. */
export interface TabImport {
  readonly uid: string;
  readonly run: ImportRun;
  readonly history: History;
}

let current: TabImport | null = null;

/** Returns this user's import; when another user has signed in, ends the last user's import first. */
export function tabImportOf(uid: string, tokens: TokenSource): TabImport {
  if (current?.uid !== uid) {
    void current?.run.close();
    const remote = importsRemote(tokens);
    const history = createHistory({ uid, remote, onChanged: () => void fetchCatalogue() });
    const worker = openImportWorker();
    const onSent = () => {
      void fetchCatalogue();
      void history.refreshAfterImport();
    };
    const run = createImportRun({
      uid,
      worker,
      tokens,
      onSent,
      waitForSync,
    });
    current = { uid, run, history };
  }
  return current;
}

/** How long the check of a file waits for a sync that makes no progress. */
const PATIENCE_MS = 10_000;

/** Resolves when the sync has fetched the products, or has made no progress for `PATIENCE_MS`. */
async function waitForSync(): Promise<void> {
  const { catalogue: db } = connection;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(end, PATIENCE_MS);
    // The state changes with every batch that arrives, which restarts the timer.
    const subscription = liveQuery(() => Promise.all([readResult(db), readState(db)])).subscribe({
      next([result]) {
        clearTimeout(timer);
        if (result) end(); // the sync stores its result when it has ended
        else timer = setTimeout(end, PATIENCE_MS);
      },
      error: end,
    });
    function end() {
      subscription.unsubscribe();
      resolve();
    }
  });
}

export function useImportRun({ run }: TabImport): RunState {
  return useStore(run);
}

export function useHistory({ history }: TabImport): HistoryState {
  return useStore(history);
}
