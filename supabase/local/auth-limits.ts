/**
 * GoTrue's limits by address, which the library lacks (version 0.10): guesses of passwords and codes, and
 * mails. Source: supabase/auth, internal/conf/configuration.go, the defaults of `RATE_LIMIT_…`.
 */
import { SlidingWindow, type WindowLimit } from './sliding-window.ts';

const MAILS: WindowLimit = { requests: 30, seconds: 3600 };
const LIMITS: Readonly<Record<string, WindowLimit>> = {
  '/auth/v1/token': { requests: 150, seconds: 300 },
  '/auth/v1/verify': { requests: 30, seconds: 300 },
  '/auth/v1/signup': MAILS,
  '/auth/v1/recover': MAILS,
  '/auth/v1/otp': MAILS,
  '/auth/v1/magiclink': MAILS,
  '/auth/v1/resend': MAILS,
};

/** Returns what answers a request over the limit; null for a request within it. */
export function openAuthLimits(now?: () => number) {
  const taken = new SlidingWindow(now);
  return (url: string, peerAddress: string | null): Response | null => {
    const { pathname } = new URL(url);
    const limit = LIMITS[pathname];
    const wait = limit && taken.take(`${pathname} ${peerAddress}`, limit);
    if (wait === undefined || wait === null) return null;
    const error_code = limit === MAILS ? 'over_email_send_rate_limit' : 'over_request_rate_limit';
    const msg = limit === MAILS ? 'email rate limit exceeded' : 'Request rate limit reached';
    const headers = { 'retry-after': String(wait) };
    return Response.json({ code: 429, error_code, msg }, { status: 429, headers });
  };
}
