/** The moment by which the shopper recognises an order. */
export const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

/** The same in a list. */
export const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
