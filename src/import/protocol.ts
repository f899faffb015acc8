/**
 * The messages between the import page and its worker. The file, its rows and the parts stay in the
 * worker; the page gets only what it shows.
 */
import type { ImportColumn } from '../csv/columns.ts';
import type { FileTable } from '../csv/file-table.ts';
import type { DecimalMark, ForeignPrices } from '../csv/price.ts';
import type { LayoutChoice } from '../csv/remembered.ts';
import type { Delimiter } from '../csv/format.ts';
import type { Answer } from '../domain/failure.ts';
import type { Fields } from '../domain/fields.ts';
import type { Minor } from '../domain/money.ts';
import type { RowCounts } from '../domain/row-counts.ts';
import type { CellProblem, MendedRows, RejectedRows } from './mending.ts';

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'gb18030',
  'euc-kr',
  'big5',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** How to read a file; null means "detect". */
export interface Choice extends LayoutChoice {
  readonly encoding: Encoding | null;
  readonly decimalMark: DecimalMark | null;
  /** Whether a blank cell empties the stored value instead of leaving it. */
  readonly blankCellsClear: boolean;
  /** The rows that the user has put in place of rejected ones. */
  readonly mended?: MendedRows;
  /** The lines of the mended rows that are imported alone, because the other rows have been imported. */
  readonly onlyLines?: ReadonlySet<number>;
}

export interface Progress {
  /** Rows read (checking) or acknowledged by the server (sending). */
  readonly rows: number;
  /** Rows in the whole file (sending); null while that is unknown (checking). */
  readonly totalRows: number | null;
  /** Bytes of the file read so far. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Why the worker cannot read a file at all: a sentence for the user, with the line and what to do. */
export interface Fault {
  readonly sentence: string;
  /** The line where reading stopped, from 1; null for a fault of the whole file. */
  readonly line: number | null;
}

export interface ProblemCount {
  /** What is wrong, e.g. `The stock code is missing.` */
  readonly reason: string;
  /** What to do about it. */
  readonly advice: string;
  /** The rows with this problem are `rejected`, `replaced` by a later row, or imported (`warned`). */
  readonly fate: 'rejected' | 'replaced' | 'warned';
  readonly count: number;
  readonly first: {
    /** Lines of the file, from 1, as an editor counts them. */
    readonly line: number;
    /** The heading of the column in the file; null for a problem of the whole row. */
    readonly header: string | null;
    readonly value: string;
  };
}

/** How the worker has guessed the encoding of a file that is not UTF-8, for the user to judge. */
export interface EncodingGuess {
  /** Whether the letters look wrong in every encoding. */
  readonly isDoubtful: boolean;
  /** Some words as UTF-8 reads them, and as the guess does. */
  readonly words: readonly { readonly before: string; readonly after: string }[];
  /** Encodings in which the same words look right too, the likelier first. */
  readonly others: readonly { readonly encoding: Encoding; readonly words: readonly string[] }[];
}

/** A stored price that the file raises or lowers fivefold or more. */
export interface PriceJump {
  readonly skc: string;
  readonly size: string;
  readonly from: Minor;
  readonly to: Minor;
}

/** What a file does to prices that the catalogue on this device holds. */
export interface PriceMoves {
  /** How many prices change, and how many of these changes are jumps. */
  readonly moved: number;
  readonly jumps: number;
  /** The first few jumps. */
  readonly examples: readonly PriceJump[];
}

/** What a check has found. It compares the file with the catalogue on this device, and counts a product once. */
export interface FileCheck extends RowCounts {
  readonly encoding: Encoding;
  /** Null where the file shows its encoding or the user has chosen it. */
  readonly guess: EncodingGuess | null;
  readonly delimiter: Delimiter;
  readonly decimalMark: DecimalMark;
  readonly headerLine: number;
  readonly columns: readonly { readonly column: ImportColumn; readonly header: string }[];
  readonly table: FileTable;
  /** The rules that have read a row of this file. */
  readonly rules: readonly AppliedRule[];
  /** Rows that are not empty: the sum of the `RowCounts`. */
  readonly rows: number;
  /** Valid rows, including those that a later row replaces. */
  readonly accepted: number;
  /** Rejected rows that do not say which product they are about. */
  readonly keyless: number;
  /** Products that the file says are not on sale. */
  readonly hidden: number;
  /** How many of the hidden products are on sale now. */
  readonly leaving: number;
  /** Stored values that blank cells would empty; 0 unless `blankCellsClear`. */
  readonly cleared: number;
  /** How many new products have no price, category or picture. */
  readonly lacking: Readonly<Record<'price' | 'category' | 'picture', number>>;
  readonly foreignPrices: ForeignPrices;
  /** New products that differ from another product only in capital letters, with the first pair. */
  readonly alike: { readonly count: number; readonly example: string };
  readonly prices: PriceMoves;
  /** How many products the catalogue on this device holds. */
  readonly catalogueSize: number;
  /** False before the first load has ended, or without storage: then more products look new. */
  readonly isCatalogueWhole: boolean;
  readonly problems: readonly ProblemCount[];
  /**
   * The first products as they will be stored, by `IMPORT_COLUMNS`; a value that the import leaves as it
   * is comes from the catalogue on this device.
   */
  readonly preview: readonly (readonly string[])[];
}

/** A rule by which the file is read, and how many rows it has changed or left out. */
export interface AppliedRule {
  /** A sentence that says what it does. */
  readonly title: string;
  readonly rows: number;
}

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly check: FileCheck }
  /** The user must say first which columns hold some fields. */
  | { readonly kind: 'ask-columns'; readonly table: FileTable }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'cancelled' };

export interface Totals {
  readonly processed: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows that the server rejected although the check had found nothing wrong with them. */
  readonly rejected: number;
}

export type SendOutcome =
  /** `message` is the server's own for an import of one part, else null. */
  | {
      readonly kind: 'done';
      readonly totals: Totals;
      readonly message: string | null;
      /** How many products the import has taken off sale. */
      readonly offSale: number;
    }
  /** The user stopped the import. The server has stored what was sent; another Start sends the rest. */
  | { readonly kind: 'cancelled' }
  /** The session has ended; after signing in, another Start continues the import. */
  | { readonly kind: 'sign-in' }
  /** The server rejected the import; `message` is its `error`, null where the answer had none. */
  | {
      readonly kind: 'rejected';
      readonly message: string | null;
      /** The HTTP status and the whole answer, for the console; null without an answer. */
      readonly status: number | null;
      readonly answer: Fields | null;
    }
  /** Something failed on this device, for example because the file has changed or is gone. */
  | { readonly kind: 'failed'; readonly message: string };

/** The shop cannot be reached (`connection`), has answered with an `error`, or is `busy`. */
export type WaitReason = 'connection' | 'error' | 'busy';

/** What the worker calls while it sends. `client.ts` wraps these functions in Comlink's `proxy`. */
export interface PageCallbacks {
  /** The user's access token. */
  token(): Promise<Answer<string>>;
  /** Gets another token after the server has rejected one. */
  freshToken(): Promise<Answer<string>>;
  progress(progress: Progress): void;
  /** Reports that this continues the import of the same file which was begun then, in ms since 1970. */
  continuing(startedAt: number): void;
  /** Asks whether so many products, of those on sale, may go off sale. */
  confirmRange(leaving: number, of: number): Promise<boolean>;
  /** Reports what the worker waits for before it tries again; null when it goes on. */
  waiting(reason: WaitReason | null): void;
}

export interface ImportWorker {
  /** Reads the whole file and sends nothing. A second call ends the first. */
  check(
    file: File,
    choice: Choice,
    onProgress: (progress: Progress) => void,
  ): Promise<CheckOutcome>;
  /** Sends the file of the last `check`. */
  send(page: PageCallbacks, isRange?: boolean): Promise<SendOutcome>;
  /** Ends the check or the import that is running. */
  cancel(): void;
  /** Every row with a problem of the last check, as a CSV that the user can correct and import again. */
  report(): Promise<Blob>;
  /** The rejected rows of the same file as `report`, for the user to mend. */
  rejectedRows(): Promise<RejectedRows>;
  /** Validates the cells of a row by the rules for that file; empty for a row without problems. */
  judge(cells: readonly string[]): Promise<readonly CellProblem[]>;
  /** The catalogue on this device as a CSV file. */
  exportCatalogue(): Promise<Blob>;
}
