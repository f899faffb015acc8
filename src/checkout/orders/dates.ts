/** The format in which the shop writes when an order was placed. */
export const DATETIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

/** The format in the list of orders, where the day is enough. */
export const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
