import { type FormEvent, useRef, useState } from 'react';
import { connection } from '../db/connection.ts';
import { type Answer, type BackendFailure, OFFLINE } from '../domain/failure.ts';
import type { Faults, FormFields } from './checks.ts';

/** Loaded with the services (`services.ts`), while the shopper fills in the form. */
type Mutations = typeof import('./mutations.ts');

interface FormOptions<T> {
  readonly check: (fields: FormFields) => Faults;
  readonly send: (mutations: Mutations, fields: FormFields) => Promise<Answer<T>>;
  readonly onDone: (value: T, fields: FormFields) => void;
}

export interface FormState {
  readonly isBusy: boolean;
  /** What is wrong with the fields, by the field's name. */
  readonly faults: Faults;
  /** Why the last try failed, in words; null otherwise and while the next one runs. */
  readonly failure: string | null;
  /** The auth service's code of that failure, such as `email_not_confirmed`; null without one. */
  readonly failureCode: string | null;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** How often the form passed `check` and then failed. */
  readonly failureCount: number;
  /** Hides the fault of a field that the shopper edits. */
  readonly clearFault: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends a form, one request at a time. The inputs are uncontrolled, so password managers work and the
 * shopper's text stays there after a failure.
 */
export function useForm<T>({ check, send, onDone }: FormOptions<T>): FormState {
  // A ref, because the shopper may press again before React has rendered the first press.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<BackendFailure | null>(null);
  const [failureCount, setFailureCount] = useState(0);

  async function run(form: HTMLFormElement, fields: FormFields): Promise<void> {
    const newFaults = check(fields);
    setFaults(newFaults);
    setFailure(null);
    const [firstFaulty] = Object.keys(newFaults);
    if (firstFaulty !== undefined) {
      const input = form.elements.namedItem(firstFaulty);
      if (input instanceof HTMLElement) input.focus();
      return;
    }
    setBusy(true);
    const answer = await sendWhenOpen(fields).finally(() => setBusy(false));
    if (answer.ok) {
      onDone(answer.value, fields);
      return;
    }
    setFailure(answer.failure);
    setFailureCount((count) => count + 1);
  }

  /** Sends once the tab has loaded the mutations and opened the database. */
  async function sendWhenOpen(fields: FormFields): Promise<Answer<T>> {
    const mutations = await import('./mutations.ts').catch(() => null);
    if (!mutations || !(await didOpenInTime())) return OFFLINE;
    return send(mutations, fields);
  }

  return {
    isBusy,
    faults,
    failure: failure && failureWords(failure),
    failureCode: failure?.kind === 'rejected' ? (failure.code ?? null) : null,
    failureCount,
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
      // From `current`, because a password manager fills two fields before React renders.
      setFaults((current) =>
        current[name] === undefined
          ? current
          : Object.fromEntries(Object.entries(current).filter(([field]) => field !== name)),
      );
    },
  };
}

/** Limit for opening the database, whose script may never arrive over a bad connection. */
const OPEN_TIMEOUT_MS = 10_000;

function didOpenInTime(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), OPEN_TIMEOUT_MS);
    void connection.opened().then(() => resolve(true));
  });
}

function fieldsOf(form: HTMLFormElement): FormFields {
  const entries = [...new FormData(form)].map(([name, value]) => {
    const text = typeof value === 'string' ? value : '';
    return [name, name === 'email' ? text.trim() : text] as const;
  });
  return Object.fromEntries(entries);
}

/** The auth service's own words, where it has rejected the form (specification, section 8). */
function failureWords(failure: BackendFailure): string {
  const message = failure.kind === 'rejected' ? failure.message : null;
  return (
    message ??
    'We couldn’t reach the shop. Check your connection and try again. What you typed is still here.'
  );
}
