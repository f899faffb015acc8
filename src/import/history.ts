/** The server's overview of the imports: who may import, and the last imports. Undoes an import. */
import type { BackendFailure } from '../domain/failure.ts';
import type { ImportOverview, ImportsRemote, UndoProgress } from '../remote/imports.ts';
import { createStore, patch, type ReadableStore } from '../browser/store.ts';
import { printDetails } from './console.ts';

export type Undo =
  | { readonly kind: 'idle' }
  /** `done` and `left` count products. `left` is null until the server's first answer. */
  | { readonly kind: 'running'; readonly done: number; readonly left: number | null }
  | { readonly kind: 'done'; readonly step: UndoProgress }
  | { readonly kind: 'failed'; readonly message: string; readonly isInConsole: boolean };

export interface HistoryState {
  /** Null until the shop has answered once. */
  readonly overview: ImportOverview | null;
  /** Whether an import has been sent since that answer: what it says of undoing no longer holds. */
  readonly isOutdated: boolean;
  /** Why the server takes no imports, for the shop's staff; null where it takes them. */
  readonly fault: string | null;
  readonly undo: Undo;
  /** The import that `undo` is about; null before the first undo. */
  readonly undoId: string | null;
}

export interface History extends ReadableStore<HistoryState> {
  /** Asks the server again. Without an answer the state stays as it is. */
  readonly refresh: () => Promise<void>;
  /** Asks the server again after an import. Answers to earlier requests no longer count. */
  readonly refreshAfterImport: () => Promise<void>;
  readonly undo: (importId: string) => Promise<void>;
}

export interface HistoryOptions {
  readonly uid: string;
  readonly remote: ImportsRemote;
  /** Called when the shop's products may have changed. */
  readonly onChanged: () => void;
}

export function createHistory({ uid, remote, onChanged }: HistoryOptions): History {
  const store = createStore<HistoryState>({
    overview: null,
    isOutdated: false,
    fault: null,
    undo: { kind: 'idle' },
    undoId: null,
  });
  const get = store.snapshot;
  const change = (part: Partial<HistoryState>) => patch(store, part);

  let requestCount = 0;
  /** Answers to requests before this one no longer count. */
  let firstThatCounts = 0;

  async function refresh(): Promise<void> {
    requestCount += 1;
    const request = requestCount;
    const answer = await remote.overview(uid);
    // A late answer to an earlier request may lack what the user has imported or undone since.
    if (request < firstThatCounts) return;
    if (!answer.ok) {
      const { failure } = answer;
      const isNotSetUp = failure.kind === 'rejected' && failure.code === 'not-configured';
      if (isNotSetUp) change({ fault: failure.message });
      return;
    }
    firstThatCounts = request;
    const { last } = answer.value;
    const { overview, undo } = get();
    const isAnotherImport = overview?.last?.importId !== last?.importId;
    // The outcome of undoing one import does not apply to another.
    change({
      overview: answer.value,
      isOutdated: false,
      fault: null,
      ...(isAnotherImport && undo.kind !== 'running' ? { undo: { kind: 'idle' } } : {}),
    });
  }

  /** Calls the server until nothing is left: a call undoes a limited number of products. */
  async function undoInSteps(importId: string): Promise<Undo> {
    for (;;) {
      const answer = await remote.undo(uid, importId);
      if (!answer.ok) return failed(answer.failure);
      // The server counts the products of all calls so far.
      const { removed, restored, kept, left } = answer.value;
      if (left === 0) return { kind: 'done', step: answer.value };
      change({ undo: { kind: 'running', done: removed + restored + kept, left } });
    }
  }

  return {
    subscribe: store.subscribe,
    snapshot: get,
    refresh,
    refreshAfterImport() {
      change({ isOutdated: true });
      firstThatCounts = requestCount + 1;
      return refresh();
    },
    async undo(importId) {
      if (get().undo.kind === 'running') return;
      change({ undoId: importId, undo: { kind: 'running', done: 0, left: null } });
      const undo = await undoInSteps(importId);
      if (undo.kind === 'failed' && undo.isInConsole) printDetails(undo.message, { importId });
      change({ undo });
      onChanged();
      await refresh();
    },
  };
}

const NO_ANSWER =
  'We couldn’t reach the shop. Check your connection and press Undo again. It will pick up where it left off.';
/** The shop's specification gives this sentence. */
const SIGN_IN = 'Authentication session failed. Please log in again.';

function failed(failure: BackendFailure): Undo {
  switch (failure.kind) {
    case 'offline':
      return { kind: 'failed', message: NO_ANSWER, isInConsole: false };
    case 'sign-in':
      return { kind: 'failed', message: SIGN_IN, isInConsole: false };
    case 'rejected': {
      const message = `Undo failed: ${failure.message ?? 'Server error.'}`;
      return { kind: 'failed', message, isInConsole: true };
    }
  }
}
