/** The digits of a hexadecimal number, and what stands for each in an order number. */
const DIGITS = '0123456789abcdef';
const LETTERS = '23456789HKMPRWXY';

/**
 * The number by which people speak of an order, such as `HK4M-7PRW`: the first eight digits of its id,
 * each written as one of 16 digits and letters that neither look nor sound like one another. The
 * database's `order_number` makes the same, so that the operator finds the order.
 */
export function orderNumber(orderId: string): string {
  const letters = Array.from(orderId.slice(0, 8), (digit) => LETTERS[DIGITS.indexOf(digit)]);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}
