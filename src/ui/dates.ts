/** The formats of dates: long where the shopper reads of an order, short in the lists of staff. */
export const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
export const LONG_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
});
export const SHORT_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
export const SHORT_TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
});
