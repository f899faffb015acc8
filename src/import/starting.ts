/** What happens after a press of Start: waits for the check, asks about its findings, begins to send. */
import { patch, type Store } from '../browser/store.ts';
import type { ImportWorker } from './protocol.ts';
import type { Sending } from './sending.ts';
import {
  concernsAbout,
  isImporting,
  ownMatchOf,
  type SessionState,
  tableOf,
} from './session-state.ts';

interface StartingOptions extends Pick<Sending, 'begin' | 'conclude'> {
  readonly store: Store<SessionState>;
  readonly uid: string;
  readonly worker: Pick<ImportWorker, 'send'>;
}

export interface Starting {
  readonly start: () => void;
  /** Continues after the check that Start waits for, if that shows nothing that the user must see first. */
  readonly continueStart: () => void;
  /** The user's answer whether to import in spite of what the page asked about. */
  readonly answer: (isYes: boolean) => void;
}

export function createStarting(options: StartingOptions): Starting {
  const { store, uid, worker, begin, conclude } = options;
  const get = store.snapshot;

  function continueStart(): void {
    const origin = tableOf(get().check)?.origin;
    const isOfOthers = typeof origin === 'object' && origin.by !== uid;
    if (isOfOthers) conclude({ kind: 'unseen-match' });
    else askOrSendChecked();
  }

  function askOrSendChecked(): void {
    const { check: state } = get();
    if (state.kind === 'ask-columns') conclude({ kind: 'open-questions' });
    if (state.kind === 'fault') conclude({ kind: 'failed', message: state.fault.sentence });
    if (state.kind !== 'checked') return;
    if (state.check.accepted === 0) conclude({ kind: 'failed', message: NOTHING_TO_SEND });
    else askOrSend();
  }

  /** Asks about one concern after the other, and sends when none is left. */
  function askOrSend(): void {
    const { check: state, isStrict, run } = get();
    if (state.kind !== 'checked') return;
    const concerns = concernsAbout(state.check, isStrict);
    const next = run.kind === 'asking' ? concerns.indexOf(run.about) + 1 : 0;
    const about = concerns[next];
    if (about === undefined) send();
    else patch(store, { run: { kind: 'asking', check: state.check, about } });
  }

  function send(): void {
    const { file, check: state } = get();
    if (!file || state.kind !== 'checked') return;
    const { replaced, rejected, skipped } = state.check;
    begin({
      fileName: file.name,
      rowsAtStart: 0,
      leftOut: { replaced, rejected, skipped },
      run: (page) => worker.send(uid, page),
      match: ownMatchOf(get(), uid),
    });
  }

  return {
    continueStart,
    start() {
      const { file, check } = get();
      if (isImporting(get())) return;
      if (!file) {
        conclude({ kind: 'no-file' });
        return;
      }
      patch(store, { run: { kind: 'reading' }, outcome: null });
      if (check.kind !== 'checking') askOrSendChecked();
    },
    answer(isYes) {
      if (get().run.kind !== 'asking') return;
      if (isYes) askOrSend();
      else conclude({ kind: 'declined' });
    },
  };
}

const NOTHING_TO_SEND = 'No row of this file can be imported.';
