export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The end of a record: `\n` with or without a `\r` before it, or `\r` alone (old Macs). */
export type Newline = '\n' | '\r';

export interface Format {
  readonly delimiter: Delimiter;
  readonly newline: Newline;
}
