/**
 * The codes with which the database rejects a statement (PostgreSQL manual, appendix A). The shop's functions raise
 * `PTnnn` and `P0001`; PostgREST answers `PTnnn` with status nnn.
 */
export const SQLSTATE = {
  textTooLong: '22001',
  numberOutOfRange: '22003',
  invalidParameter: '22023',
  invalidText: '22P02',
  restrictViolation: '23001',
  notNullViolation: '23502',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  checkViolation: '23514',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  raisedException: 'P0001',
  notFound: 'PT404',
  conflict: 'PT409',
  gone: 'PT410',
  tooManyRequests: 'PT429',
} as const;
