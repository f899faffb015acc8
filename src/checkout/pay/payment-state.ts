import { useRef, useState } from 'react';
import type { AddressProblems } from '../../domain/address.ts';
import type { ErrorMessage } from './error-message.ts';

/** `saving`: the cart is being saved first. */
export type Stage = 'idle' | 'saving' | 'processing';

/** Where a payment stands, and what is said about it beside the button. */
export interface PaymentState {
  readonly stage: Stage;
  readonly error: ErrorMessage | null;
  readonly problems: AddressProblems;
  /** The shopper edits a field: its problem is no longer shown. */
  readonly clearProblem: (field: string) => void;
  /** Ends the payment: the button can be pressed again. */
  readonly finish: (error?: ErrorMessage | null) => void;
  /** Shows an error unless a payment is under way; answers whether it is shown. */
  readonly show: (error: ErrorMessage | null) => boolean;
  /** Shows what is wrong with the address, and moves the focus to the first field of it. */
  readonly showProblems: (found: AddressProblems) => void;
  readonly enter: (stage: 'saving' | 'processing') => void;
  /** Whether a payment is under way: known before React has drawn it. */
  readonly isBusy: () => boolean;
}

/** @param focusField moves the focus to a field of the form */
export function usePaymentState(focusField: (name: string) => void): PaymentState {
  const [stage, setStage] = useState<Stage>('idle');
  const [error, setError] = useState<ErrorMessage | null>(null);
  const [problems, setProblems] = useState<AddressProblems>({});
  // A second press comes before React has drawn the first.
  const isBusy = useRef(false);
  return {
    stage,
    error,
    problems,
    clearProblem: (field) => setProblems((found) => without(found, field)),
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
    showProblems(found) {
      setProblems(found);
      const [first] = Object.keys(found);
      if (first !== undefined) focusField(first);
    },
    enter(next) {
      isBusy.current = true;
      setError(null);
      setStage(next);
    },
    isBusy: () => isBusy.current,
  };
}

/** A new country changes the rules of every field. */
function without(found: AddressProblems, field: string): AddressProblems {
  const others = Object.entries(found).filter(([name]) => name !== field && field !== 'country');
  return Object.fromEntries(others);
}
