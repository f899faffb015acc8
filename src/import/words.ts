import type { Delimiter } from '../csv/format.ts';
import { countOf, formatCount } from '../domain/count.ts';
import { type RowCounts, rowsRead } from '../domain/row-counts.ts';
import type { Encoding, PriceMoves } from './protocol.ts';

/** Not 1000, because the limit `MAX_FILE_BYTES` is in units of 1024 as well. */
const KB = 1024;
const MB = KB * KB;

export function sizeOf(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  const kilobytes = Math.round(bytes / KB);
  if (kilobytes < KB) return `${kilobytes} kB`;
  return `${(bytes / MB).toFixed(1)} MB`;
}

/** "9 rows read: 4 new, 0 changed, 3 unchanged, 2 rejected." The counts add up to the first number. */
export function rowCountsWords(counts: RowCounts): string {
  const { added, changed, unchanged, replaced, rejected, skipped } = counts;
  const ifAny = (count: number, fate: string) =>
    count > 0 ? `, ${formatCount(count)} ${fate}` : '';
  return (
    `${countOf(rowsRead(counts), 'row')} read: ` +
    `${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged` +
    `${ifAny(replaced, 'replaced')}${ifAny(rejected, 'rejected')}${ifAny(skipped, 'skipped')}.`
  );
}

/** "12 products were hidden." */
export function hiddenWords(count: number): string {
  return `${countOf(count, 'product')} ${count === 1 ? 'was' : 'were'} hidden.`;
}

/** "2 of 40 price changes are at least fivefold." At least one price jumps. */
export function priceJumpsWords({ moved, jumps }: PriceMoves): string {
  const subject =
    moved === 1
      ? 'The only price change is'
      : `${formatCount(jumps)} of ${formatCount(moved)} price changes ${jumps === 1 ? 'is' : 'are'}`;
  return `${subject} at least fivefold.`;
}

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16, little-endian)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'iso-8859-15': 'Western European (ISO 8859-15)',
  macintosh: 'Western European (Mac)',
  shift_jis: 'Japanese (Shift JIS)',
  gb18030: 'Simplified Chinese (GB 18030)',
  'euc-kr': 'Korean (EUC-KR)',
  big5: 'Traditional Chinese (Big5)',
};

export const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};

export const DECIMAL_MARK_NAMES = { '.': 'Period (12.50)', ',': 'Comma (12,50)' } as const;

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
