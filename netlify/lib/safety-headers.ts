/**
 * Headers of every answer of the shop: the build writes them into the host's rules for files, and the
 * functions, to which Netlify does not apply those rules, send them themselves.
 */
export const SAFETY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
};
