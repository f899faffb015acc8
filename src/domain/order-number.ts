/** The hexadecimal digits, and in the same order the characters that replace them in an order number. */
const HEX_DIGITS = '0123456789abcdef';
const CHARACTERS = '23456789HKMPRWXY';

/**
 * The number that people use for an order, such as `HK4M-7PRW`: the first eight digits of its id, each
 * replaced by one of 16 characters that neither look nor sound alike. The database's `order_number` makes the
 * same number, so that the operator finds the order.
 */
export function orderNumber(orderId: string): string {
  const digits = Array.from(orderId.slice(0, 8));
  const number = digits.map((digit) => CHARACTERS[HEX_DIGITS.indexOf(digit)]).join('');
  return `${number.slice(0, 4)}-${number.slice(4)}`;
}
