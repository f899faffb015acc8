import { useRef, useState } from 'react';
import type { AddressProblems } from '../../domain/address.ts';
import type { ErrorMessage } from './error-message.ts';

/** `saving`: the page waits until the server has the cart. */
export type Stage = 'idle' | 'saving' | 'processing';

/** The stage of a payment, and the message about it beside the button. */
export interface PaymentState {
  readonly stage: Stage;
  readonly error: ErrorMessage | null;
  readonly problems: AddressProblems;
  /** Hides the problem of a field that the shopper edits. */
  readonly clearProblem: (field: string) => void;
  /** Ends the attempt on this page, so that the shopper can press the button again. */
  readonly finish: (error?: ErrorMessage | null) => void;
  /** Shows an error unless a payment is under way. Returns whether the error is shown. */
  readonly show: (error: ErrorMessage | null) => boolean;
  /** Shows what is wrong with the address, and moves the focus to the first such field. */
  readonly showProblems: (problems: AddressProblems) => void;
  readonly enter: (stage: 'saving' | 'processing') => void;
  /** Whether a payment is under way, also before React has rendered that. */
  readonly isBusy: () => boolean;
  /**
   * Calls `press`, which begins another attempt. Meanwhile `earlierOrderId()` returns this order's id, so the
   * request of that attempt says that the shopper agrees to pay for the same lines once more.
   */
  readonly payAgain: (earlierOrderId: string, press: () => void) => void;
  /** The id that `payAgain` was called with, until it returns; null otherwise. */
  readonly earlierOrderId: () => string | null;
}

/** @param focusField moves the focus to a field of the form */
export function usePaymentState(focusField: (name: string) => void): PaymentState {
  const [stage, setStage] = useState<Stage>('idle');
  const [error, setError] = useState<ErrorMessage | null>(null);
  const [problems, setProblems] = useState<AddressProblems>({});
  // A ref, because the shopper may press again before React has rendered the first press.
  const isBusy = useRef(false);
  const earlier = useRef<string | null>(null);
  return {
    stage,
    error,
    problems,
    clearProblem: (field) => setProblems((current) => without(current, field)),
    finish(next = null) {
      isBusy.current = false;
      setStage('idle');
      setError(next);
    },
    show(next) {
      if (isBusy.current) return false;
      setError(next);
      return true;
    },
    showProblems(next) {
      setProblems(next);
      const [firstField] = Object.keys(next);
      if (firstField !== undefined) focusField(firstField);
    },
    enter(next) {
      isBusy.current = true;
      setError(null);
      setStage(next);
    },
    isBusy: () => isBusy.current,
    payAgain(earlierOrderId, press) {
      earlier.current = earlierOrderId;
      press();
      earlier.current = null;
    },
    earlierOrderId: () => earlier.current,
  };
}

/** The problems without that of a field; none after a change of country, because every rule changes. */
function without(problems: AddressProblems, field: string): AddressProblems {
  if (field === 'country') return {};
  return Object.fromEntries(Object.entries(problems).filter(([name]) => name !== field));
}
