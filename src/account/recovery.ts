import { rememberedKey, sessionKey } from '../ui/storage-key.ts';

/**
 * A link from a mail lets a shopper choose a new password without the old one. Being signed in does
 * not: a thief of the phone could lock the shopper out. The tab stores that the shopper followed a
 * link, so that a reload keeps the form. In a browser without storage the shopper needs another link then.
 */
const key = rememberedKey(sessionKey('weft-recovery'));
/** As long as GoTrue accepts the link itself (the default of its setting `mailer_otp_exp`). */
const GOOD_FOR_MS = 3_600_000;

/** Notes that this shopper has followed a link for a new password. */
export function allowRecovery(uid: string, nowMs: number): void {
  key.write(`${uid} ${nowMs}`);
}

/** Call when the shopper has chosen a password or logged out. */
export function endRecovery(): void {
  key.clear();
}

export function mayRecover(uid: string, nowMs: number): boolean {
  const [owner, at] = (key.read() ?? '').split(' ');
  // In both directions, because the phone's clock may have been set back.
  return owner === uid && Math.abs(nowMs - Number(at)) < GOOD_FOR_MS;
}
