/**
 * One part until the shop has it for certain: through lost answers, dead lines and expired tokens.
 * A part counts once on the server, so sending it again is never wrong.
 */
import type { TokenAnswer } from '../../remote/auth/token-source.ts';
import type { PartAnswer, PartUpload, UploadFailure, UploadPart } from '../../remote/upload.ts';
import type { Page, SendOutcome } from '../protocol.ts';

export interface UploadOptions {
  readonly upload: UploadPart;
  readonly page: Pick<Page, 'token' | 'freshToken' | 'waiting'>;
  readonly signal: AbortSignal;
  /** Resolves after so long, or earlier when the line is back; at once when aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export type PartOutcome =
  | { readonly kind: 'stored'; readonly answer: PartAnswer }
  | Exclude<SendOutcome, { readonly kind: 'done' }>;

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 30_000;
/** A shop that says itself that it is unwell gets a minute or two; a dead line any time. */
const MOST_ERRORS = 8;

export type Uploader = (part: PartUpload) => Promise<PartOutcome>;

/** Sends parts, several at once if they are asked for. */
export function openUploader({ upload, page, signal, pause, random }: UploadOptions): Uploader {
  let isWaiting = false;
  /** Parts that were refused together ask for one new token. */
  let renewing: Promise<TokenAnswer> | null = null;

  function tellWaiting(waits: boolean): void {
    if (waits !== isWaiting) page.waiting(waits);
    isWaiting = waits;
  }

  /** @param refused the token that the shop would not take */
  async function tokenOtherThan(refused: string | null): Promise<TokenAnswer> {
    const token = await page.token();
    if (!token.ok || token.token !== refused) return token;
    renewing ??= page.freshToken().finally(() => (renewing = null));
    return renewing;
  }

  async function untilKnown(part: PartUpload): Promise<PartOutcome> {
    let failures = 0;
    let errors = 0;
    let refused: string | null = null;
    for (;;) {
      const token = await tokenOtherThan(refused);
      if (signal.aborted) return { kind: 'cancelled' };
      if (!token.ok && token.reason === 'sign-in') return { kind: 'sign-in' };
      const answer = token.ok ? await upload(token.token, part, signal) : OFFLINE;
      if (answer.ok) return { kind: 'stored', answer: answer.value };
      if (signal.aborted) return { kind: 'cancelled' };
      const { failure } = answer;
      if (token.ok && isRefused(failure, 401)) {
        if (refused !== null) return { kind: 'sign-in' };
        refused = token.token;
        continue;
      }
      if (failure.kind === 'refused') {
        errors += failure.status === 429 ? 0 : 1;
        if (!mayPass(failure) || errors === MOST_ERRORS) {
          return { kind: 'refused', message: failure.message };
        }
      }
      failures += 1;
      tellWaiting(true);
      await pause(pauseMs(failure, failures), signal);
    }
  }

  /** "Full jitter": AWS Architecture Blog, "Exponential Backoff and Jitter". */
  function pauseMs(failure: UploadFailure, failures: number): number {
    const bound = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    const least = failure.kind === 'refused' ? failure.retryAfterMs : 0;
    return Math.max(Math.min(least, LAST_PAUSE_MS), random() * bound);
  }

  return async (part) => {
    const outcome = await untilKnown(part);
    tellWaiting(false);
    return outcome;
  };
}

const OFFLINE = { ok: false, failure: { kind: 'offline' } } as const;

function isRefused(failure: UploadFailure, status: number): boolean {
  return failure.kind === 'refused' && failure.status === status;
}

/** Whether asking again can help: too many requests, or the shop itself is unwell. */
function mayPass(failure: UploadFailure): boolean {
  return failure.kind === 'refused' && (failure.status === 429 || failure.status >= 500);
}
