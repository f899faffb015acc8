import { rememberedKey, sessionKey } from '../browser/storage-key.ts';

/**
 * A link from a mail lets a shopper choose a new password without the old one. Being signed in is not
 * enough: a thief of the phone could lock the shopper out. The tab stores that the shopper followed a
 * link, so that a reload keeps the form. In a browser without storage the shopper needs another link after
 * a reload.
 */
const key = rememberedKey(sessionKey('weft-recovery'));
/** An hour: as long as GoTrue accepts the link itself (the default of its setting `mailer_otp_exp`). */
const GOOD_FOR_MS = 3_600_000;

/** Notes that this shopper has followed a link for a new password. */
export function allowRecovery(uid: string, nowMs: number): void {
  key.write(`${uid} ${nowMs}`);
}

/** Ends the permission: the shopper has chosen a password or logged out. */
export function endRecovery(): void {
  key.clear();
}

/** Whether this shopper may choose a new password without the old one. */
export function mayRecover(uid: string, nowMs: number): boolean {
  const [owner, followedAtMs] = (key.read() ?? '').split(' ');
  // The absolute difference, because the phone's clock may have been set back.
  return owner === uid && Math.abs(nowMs - Number(followedAtMs)) < GOOD_FOR_MS;
}
