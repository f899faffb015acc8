/** A format that is made at its first use, because making it costs a slow phone more time than a frame has. */
function formatOf(options: Intl.DateTimeFormatOptions) {
  let format: Intl.DateTimeFormat | undefined;
  return {
    format(at: Date | number): string {
      format ??= new Intl.DateTimeFormat('en-US', options);
      return format.format(at);
    },
  };
}

/** The formats of dates: long where the shopper reads of an order, short in the lists of staff. */
export const LONG_DAY = formatOf({ dateStyle: 'long' });
export const LONG_TIME = formatOf({ dateStyle: 'long', timeStyle: 'short' });
export const SHORT_DAY = formatOf({ dateStyle: 'medium' });
export const SHORT_TIME = formatOf({ dateStyle: 'medium', timeStyle: 'short' });
