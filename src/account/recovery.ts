import { sessionKey } from '../ui/storage-key.ts';

/**
 * A link from a mail lets a shopper choose a new password without the old one; being signed in does
 * not, or whoever holds somebody's phone could lock them out. That a link was followed is noted for
 * this tab only, so that its page may be loaded again.
 */
const key = sessionKey('weft-recovery');
/** As long as GoTrue lets the link itself be good (its setting `mailer_otp_exp`, by default). */
const GOOD_FOR_MS = 3_600_000;

/** For a browser that keeps nothing: then loading the page again asks for another link. */
let inMemory: string | null = null;

/** This shopper has followed a link for a new password. */
export function allowRecovery(uid: string, nowMs: number): void {
  inMemory = `${uid} ${nowMs}`;
  key.write(inMemory);
}

/** The password was chosen, or the shopper has logged out. */
export function endRecovery(): void {
  inMemory = null;
  key.clear();
}

export function mayRecover(uid: string, nowMs: number): boolean {
  const [owner, at] = (inMemory ?? key.read() ?? '').split(' ');
  return owner === uid && Math.abs(nowMs - Number(at)) < GOOD_FOR_MS;
}
