/**
 * Repeats a request until the shop has answered it, through lost answers, lost connections and expired tokens.
 * The server counts a part once, so sending it again is safe.
 */
import type { Answer, BackendFailure } from '../../domain/failure.ts';
import { backoffMs } from '../../domain/timing.ts';
import { isTokenRejected } from '../../remote/auth/token-source.ts';
import type { PageCallbacks, SendOutcome, WaitReason } from '../protocol.ts';

export interface RequestTools {
  /** Resolves after so long, earlier when the connection is back, and at once when aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** What is left after `sign-in`, at which the worker stops. */
type Failure = Exclude<BackendFailure, { readonly kind: 'sign-in' }>;

type Outcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | Exclude<SendOutcome, { readonly kind: 'done' }>;

const PAUSES = { firstMs: 1000, mostMs: 30_000 };
/** After an error of the shop. Five such pauses are at most a minute. */
const AFTER_ERROR = { firstMs: 1000, mostMs: 12_000 };
/** A part fails when the shop has answered it with so many errors. Lost connections have no limit. */
const MOST_ERRORS = 6;

/** Repeats a request until the shop has answered it. Several may be under way at once. */
type Settle = <T>(ask: (token: string) => Promise<Answer<T>>) => Promise<Outcome<T>>;

export function openRequests(
  page: Pick<PageCallbacks, 'token' | 'freshToken' | 'waiting'>,
  signal: AbortSignal,
  { pause, random }: RequestTools,
): Settle {
  let waitsFor: WaitReason | null = null;
  /** Parts whose token the server has rejected at the same time share one renewal. */
  let renewing: Promise<Answer<string>> | null = null;

  function announceWaiting(reason: WaitReason | null): void {
    if (reason !== waitsFor) page.waiting(reason);
    waitsFor = reason;
  }

  /** The page's token; a renewed one if the page's is the token that the server has rejected. */
  async function tokenOtherThan(rejected: string | null): Promise<Answer<string>> {
    const token = await page.token();
    if (!token.ok || token.value !== rejected) return token;
    renewing ??= page.freshToken().finally(() => (renewing = null));
    return renewing;
  }

  async function repeatUntilSettled<T>(
    ask: (token: string) => Promise<Answer<T>>,
  ): Promise<Outcome<T>> {
    let failures = 0;
    let errors = 0; // the failures in which the shop has answered with an error
    let rejectedToken: string | null = null;
    for (;;) {
      const token = await tokenOtherThan(rejectedToken);
      if (signal.aborted) return { kind: 'cancelled' };
      const answer = token.ok ? await ask(token.value) : token;
      if (answer.ok) return { kind: 'answered', answer: answer.value };
      if (signal.aborted) return { kind: 'cancelled' };
      const { failure } = answer;
      if (failure.kind === 'sign-in') return { kind: 'sign-in' };
      if (token.ok && isTokenRejected(failure)) {
        const isFirst = rejectedToken === null;
        rejectedToken = token.value;
        // The next token is new. When the server rejects it too, that is an error of the server.
        if (isFirst) continue;
      }
      if (isFinal(failure)) return rejected(failure);
      const reason = waitReason(failure);
      if (reason === 'error') errors += 1;
      if (errors === MOST_ERRORS) return rejected(failure);
      failures += 1;
      announceWaiting(reason);
      await pause(pauseMs(failure, failures, reason), signal);
    }
  }

  function pauseMs(failure: Failure, failures: number, reason: WaitReason): number {
    const bounds = reason === 'error' ? AFTER_ERROR : PAUSES;
    const askedMs = failure.kind === 'rejected' ? (failure.retryAfterMs ?? 0) : 0;
    return Math.max(Math.min(askedMs, bounds.mostMs), backoffMs(failures, bounds, random));
  }

  async function settle<T>(ask: (token: string) => Promise<Answer<T>>): Promise<Outcome<T>> {
    const outcome = await repeatUntilSettled(ask);
    announceWaiting(null);
    return outcome;
  }

  return settle;
}

/** Passing states of a proxy: login needed, request timeout, too early, too many requests. */
const TEMPORARY_STATUSES = new Set([407, 408, 425, 429]);

/** Whether a retry cannot help, because the shop has rejected the part, or a proxy has (`offline` with a 4xx). */
function isFinal(failure: Failure): boolean {
  if (isTokenRejected(failure)) return false;
  const { kind, status = 0 } = failure;
  if (kind === 'offline') return status >= 400 && status < 500 && !TEMPORARY_STATUSES.has(status);
  // A function answers 503 without a time to wait when the shop is not set up for imports.
  if (status === 503) return failure.retryAfterMs === undefined;
  return status < 500 && status !== 429;
}

/** What to wait for. An `offline` failure with a 5xx is the host's answer for a function that failed. */
function waitReason(failure: Failure): WaitReason {
  const { kind, status = 0 } = failure;
  if (status === 429) return 'busy';
  return kind === 'rejected' || status >= 500 ? 'error' : 'connection';
}

function rejected(failure: Failure): Extract<SendOutcome, { readonly kind: 'rejected' }> {
  const { status = null } = failure;
  const { message = null, fields: answer = null } = failure.kind === 'rejected' ? failure : {};
  return { kind: 'rejected', message, status, answer };
}
