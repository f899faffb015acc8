/**
 * Headers of every answer of the shop. The build writes them into the host's rules for files. Netlify does
 * not apply those rules to functions, so the functions send them themselves.
 */
export const SAFETY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains', // two years, in seconds
};
