import { type FormEvent, useRef, useState } from 'react';
import { connection } from '../db/connection.ts';
import type { Answer, BackendFailure } from '../domain/failure.ts';
import type { Faults, Fields } from './checks.ts';

/** They come while the form is filled in. */
type Mutations = typeof import('./mutations.ts');

interface AttemptOptions<T> {
  readonly check: (fields: Fields) => Faults;
  readonly send: (mutations: Mutations, fields: Fields) => Promise<Answer<T>>;
  readonly onDone: (value: T, fields: Fields) => void;
}

export interface Attempt {
  readonly isBusy: boolean;
  /** What is wrong with the fields, by name. */
  readonly faults: Faults;
  /** What went wrong, in words; null before that and while the next attempt runs. */
  readonly failure: string | null;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** A field is being mended: its fault is no longer shown. */
  readonly clearFault: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * One attempt of a form at a time. The inputs are the browser's own, so that password managers
 * work and what was typed stays there whatever happens.
 */
export function useAttempt<T>({ check, send, onDone }: AttemptOptions<T>): Attempt {
  // A second press comes before React has drawn the first.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<string | null>(null);

  async function run(form: HTMLFormElement, fields: Fields): Promise<void> {
    const found = check(fields);
    setFaults(found);
    setFailure(null);
    const [first] = Object.keys(found);
    if (first !== undefined) {
      const input = form.elements.namedItem(first);
      if (input instanceof HTMLElement) input.focus();
      return;
    }
    setBusy(true);
    const answer = await ask(fields).finally(() => setBusy(false));
    if (answer.ok) onDone(answer.value, fields);
    else setFailure(wordsOf(answer.failure));
  }

  async function ask(fields: Fields): Promise<Answer<T>> {
    const mutations = await import('./mutations.ts').catch(() => null);
    const isThere = mutations && (await openedInTime());
    return isThere ? send(mutations, fields) : { ok: false, failure: { kind: 'offline' } };
  }

  return {
    isBusy,
    faults,
    failure,
    submit(event) {
      event.preventDefault();
      if (isRunning.current) return;
      isRunning.current = true;
      void run(event.currentTarget, fieldsOf(event.currentTarget)).finally(() => {
        isRunning.current = false;
      });
    },
    clearFault(event) {
      const { name } = event.target as HTMLInputElement; // only inputs send this event here
      if (faults[name] !== undefined) {
        setFaults(Object.fromEntries(Object.entries(faults).filter(([field]) => field !== name)));
      }
    },
  };
}

/** The database may still be on its way, on a line that has swallowed it. */
const PATIENCE_MS = 10_000;

function openedInTime(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), PATIENCE_MS);
    void connection.opened().then(() => resolve(true));
  });
}

function fieldsOf(form: HTMLFormElement): Fields {
  const entries = [...new FormData(form)].map(
    ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'email' ? value.trim() : value]),
  );
}

/** Spec, section 8: the provider's message, where the provider answered. */
function wordsOf(failure: BackendFailure): string {
  const message = failure.kind === 'rejected' ? failure.message : null;
  return (
    message ??
    'The shop did not answer. Check your connection and try again; what you typed is still here.'
  );
}
