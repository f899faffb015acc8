import { useLiveQuery } from 'dexie-react-hooks';
import { openImportJobs } from '../db/import-jobs.ts';
import { importsRemote } from '../remote/imports.ts';
import type { TokenSource } from '../remote/auth/token-source.ts';
import { useStore } from '../ui/use-store.ts';
import { openImportWorker } from './client.ts';
import { createImportSession, type ImportSession } from './session.ts';
import type { SessionState } from './session-state.ts';
import { createHistory, type History, type HistoryState } from './history.ts';
import { fetchChanges, fetched } from './shop-catalogue.ts';
import { type Unfinished, unfinishedOf } from './unfinished.ts';

/** One shopper's import in this tab. */
export interface Importing {
  readonly uid: string;
  readonly session: ImportSession;
  readonly history: History;
}

let current: Importing | null = null;

/** The import of this tab. When another user signs in, it ends the last user's and makes a new one. */
export function importingOf(uid: string, tokens: TokenSource): Importing {
  if (current?.uid !== uid) {
    void current?.session.close();
    const remote = importsRemote(tokens);
    const history = createHistory({ uid, remote, onChanged: fetchChanges });
    const worker = openImportWorker();
    const onSent = () => {
      fetchChanges();
      void history.refresh();
    };
    const session = createImportSession({ uid, worker, tokens, onSent, caughtUp: fetched });
    current = { uid, session, history };
  }
  return current;
}

export function useImportSession({ session }: Importing): SessionState {
  return useStore(session);
}

export function useHistory({ history }: Importing): HistoryState {
  return useStore(history);
}

/** The user's unfinished import; null for none, undefined until it has been read. */
export function useUnfinished(uid: string): Unfinished | null | undefined {
  const found = useLiveQuery(
    async () => ({ uid, unfinished: await unfinishedOf(openImportJobs, uid) }),
    [uid],
  );
  // The hook keeps its last result until the next, even one of another user.
  return found?.uid === uid ? found.unfinished : undefined;
}
