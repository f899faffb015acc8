/**
 * From a press of Start to the first part: waits for the check, and asks the user about rejected rows
 * and moved prices.
 */
import { patch, type Store } from '../browser/store.ts';
import type { ImportWorker } from './protocol.ts';
import type { Sending } from './sending.ts';
import { concernsAbout, isImporting, type SessionState } from './session-state.ts';
import { faultWords } from './words.ts';

interface StartingOptions extends Pick<Sending, 'begin' | 'conclude'> {
  readonly store: Store<SessionState>;
  readonly uid: string;
  readonly worker: Pick<ImportWorker, 'send'>;
}

interface Starting {
  readonly start: () => void;
  /** Continues after the check that Start waits for. */
  readonly goOn: () => void;
  /** The user's answer whether to continue in spite of what the page asked about. */
  readonly answer: (goesOn: boolean) => void;
}

export function createStarting(options: StartingOptions): Starting {
  const { store, uid, worker, begin, conclude } = options;
  const get = store.snapshot;

  function goOn(): void {
    const { check: found } = get();
    if (found.kind === 'ask-columns') conclude({ kind: 'open-questions' });
    if (found.kind === 'fault') conclude({ kind: 'failed', message: faultWords(found.fault) });
    if (found.kind !== 'checked') return;
    if (found.check.accepted === 0) conclude({ kind: 'failed', message: NOTHING_TO_SEND });
    else askOrSend();
  }

  /** Asks about one concern after the other, and sends when none is left. */
  function askOrSend(): void {
    const { check: found, isStrict, run } = get();
    if (found.kind !== 'checked') return;
    const concerns = concernsAbout(found.check, isStrict);
    const asked = run.kind === 'asking' ? concerns.indexOf(run.about) : -1;
    const about = concerns[asked + 1];
    if (about === undefined) send();
    else patch(store, { run: { kind: 'asking', check: found.check, about } });
  }

  function send(): void {
    const { file, check: found } = get();
    if (!file || found.kind !== 'checked') return;
    const { name: fileName } = file;
    const leftOut = found.check.rejected;
    begin({ fileName, rowsAtStart: 0, leftOut, work: (page) => worker.send(uid, page) });
  }

  return {
    goOn,
    start() {
      const { file, check: found } = get();
      if (isImporting(get())) return;
      if (!file) {
        conclude({ kind: 'no-file' });
        return;
      }
      patch(store, { run: { kind: 'reading' }, outcome: null });
      if (found.kind !== 'checking') goOn();
    },
    answer(goesOn) {
      if (get().run.kind !== 'asking') return;
      if (goesOn) askOrSend();
      else conclude({ kind: 'declined' });
    },
  };
}

const NOTHING_TO_SEND = 'No row of this file can be imported.';
