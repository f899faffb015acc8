/** Whether and how an order was sent. Not one of its states, because a sent order may also be refunded. */
import { type Fields, isoTime } from './fields.ts';
import { textOrNull } from './product.ts';

export interface Sent {
  /** ISO 8601; null for an order that is not sent, or whose parcel staff has taken back. */
  readonly sentAt: string | null;
  /** The name of the carrier; null where staff named none. */
  readonly carrier: string | null;
  /** An https address at which the carrier shows where the parcel is. */
  readonly trackingUrl: string | null;
}

/** Parses the columns of an order. */
export function parseSent({ sent_at, carrier, tracking_url }: Fields): Sent {
  return {
    sentAt: isoTime(sent_at),
    carrier: textOrNull(carrier),
    trackingUrl: isTrackingUrl(tracking_url) ? tracking_url : null,
  };
}

/** The longest name of a carrier and the longest address of a parcel, in characters; the database has the same. */
export const LONGEST_CARRIER = 60;
export const LONGEST_TRACKING_URL = 500;

/** Whether this is an https address without a user name, which a shopper may be sent to. */
export function isTrackingUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_TRACKING_URL) return false;
  if (!/^https:\/\/[^\s\p{Cc}\p{Cs}"<>]+$/u.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username + url.password === '';
}

/** `Sent on May 12 with DHL`, with the year where it is not this one; null for an order that is not sent. */
export function sentWords({ sentAt, carrier }: Sent, now = new Date()): string | null {
  if (sentAt === null) return null;
  const at = new Date(sentAt);
  const isThisYear = at.getFullYear() === now.getFullYear();
  const day = at.toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return carrier === null ? `Sent on ${day}` : `Sent on ${day} with ${carrier}`;
}
