/** Rows like “Total” at the end of a list, which are no products. */

const TOTAL =
  /^\s*(?:(?:grand|sub|net)?[\s-]*totals?|sum|(?:gesamt)?summe|gesamt|insgesamt|zwischensumme|totaux|sous-total|totale|totales|suma|soma|totaal|razem|ogółem|toplam|genel toplam|合计|总计|小计)[\s:.]*$/i;

/** Whether a text in place of a stock code names a row with a total. */
export function isTotal(code: string): boolean {
  // Most stock codes hold a digit at their end.
  const last = code.charCodeAt(code.length - 1);
  return code.length < 30 && !(last >= 48 && last <= 57) && TOTAL.test(code);
}
