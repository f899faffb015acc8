/**
 * GoTrue's limits on the requests of one IP address: those that guess passwords or codes, and those that send
 * mails. `@supabase/lite` 0.10 has no limits. Source: supabase/auth, internal/conf/configuration.go, the
 * defaults of `RATE_LIMIT_…`.
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

/** Returns a function that answers a request over its limit with status 429; null for a request within it. */
export function openAuthLimits() {
  const counts = new SlidingWindow();
  return (url: string, peerAddress: string | null): Response | null => {
    const { pathname } = new URL(url);
    const limit = LIMITS[pathname];
    const retryAfterSeconds = limit && counts.take(`${pathname} ${peerAddress}`, limit);
    if (retryAfterSeconds === undefined || retryAfterSeconds === null) return null;
    const error_code = limit === MAILS ? 'over_email_send_rate_limit' : 'over_request_rate_limit';
    const msg = limit === MAILS ? 'email rate limit exceeded' : 'Request rate limit reached';
    const headers = { 'retry-after': String(retryAfterSeconds) };
    return Response.json({ code: 429, error_code, msg }, { status: 429, headers });
  };
}
