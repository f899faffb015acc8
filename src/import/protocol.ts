/**
 * What the import page and its worker say to each other. The file, its rows and the parts stay in
 * the worker; only what is on screen crosses.
 */
import type { DecimalMark } from '../csv/price.ts';
import type { ImportColumn } from '../csv/columns.ts';
import type { ColumnQuestion } from '../csv/layout.ts';
import type { Delimiter } from '../csv/scan.ts';
import type { Answer } from '../domain/failure.ts';
import type { Unfinished } from './unfinished.ts';

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'gb18030',
  'euc-kr',
  'big5',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** How to read a file: null is "find out". */
export interface Choice {
  readonly encoding: Encoding | null;
  readonly delimiter: Delimiter | null;
  readonly decimalMark: DecimalMark | null;
  /** For fields that several columns of the file could mean: which one, counted from 0. */
  readonly columns: Readonly<Partial<Record<ImportColumn, number>>>;
  /** A blank cell empties the stored value; otherwise it leaves it. */
  readonly blankCellsClear: boolean;
}

export interface Progress {
  /** Rows looked at (checking) or confirmed by the server (sending). */
  readonly rows: number;
  /** Rows in the whole file where that is known (sending), else null (checking). */
  readonly totalRows: number | null;
  /** Of the file, read so far. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Why a file cannot be read at all: a sentence for the person, with what to do. */
export interface Fault {
  readonly sentence: string;
  /** The line where reading stopped, from 1; null where it is about the file. */
  readonly line: number | null;
}

export interface ProblemCount {
  /** What is wrong, e.g. `The stock code is missing.` */
  readonly reason: string;
  /** What to do about it. */
  readonly advice: string;
  /** What becomes of the rows with it: `replaced` by a later one, or imported after all (`warned`). */
  readonly fate: 'rejected' | 'replaced' | 'warned';
  readonly count: number;
  readonly first: {
    /** Lines of the file, from 1, as an editor counts them. */
    readonly line: number;
    /** The heading of the column in the file; null where it is about the whole row. */
    readonly header: string | null;
    readonly value: string;
  };
}

export interface Check {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly decimalMark: DecimalMark;
  readonly headerLine: number;
  readonly columns: readonly { readonly column: ImportColumn; readonly header: string }[];
  /** Headings that mean nothing to us. */
  readonly ignored: readonly string[];
  /** Rows with anything in them; always `accepted + rejected`. */
  readonly rows: number;
  /** Rows that will be stored, those that a later row replaces included. */
  readonly accepted: number;
  readonly rejected: number;
  /** Rows that a later row of the same stock code and size replaces. */
  readonly replaced: number;
  /** Against the catalogue on this device, each product once. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Stored values that blank cells would empty; 0 unless `blankCellsClear`. */
  readonly cleared: number;
  /** How many products the catalogue on this device holds. */
  readonly catalogueSize: number;
  /** False before its first load has ended, or where this device keeps none: more looks new. */
  readonly isCatalogueWhole: boolean;
  readonly problems: readonly ProblemCount[];
  /** The first rows as they will be stored, in the order of `IMPORT_COLUMNS`. */
  readonly preview: readonly (readonly string[])[];
  /** Of the first 5,000 rows, how many are rejected. */
  readonly early: { readonly rows: number; readonly rejected: number };
}

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly check: Check }
  | { readonly kind: 'ask-columns'; readonly questions: readonly ColumnQuestion[] }
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
  /** `message` is the server's own where one part was the whole import, else null. */
  | { readonly kind: 'done'; readonly totals: Totals; readonly message: string | null }
  /** Stopped by the person; what was sent is stored, and the rest can be sent later. */
  | { readonly kind: 'cancelled' }
  /** The session is over; the import can be resumed after signing in. */
  | { readonly kind: 'sign-in' }
  /** The server said no; `message` is its `error`, null where its answer had none. */
  | { readonly kind: 'rejected'; readonly message: string | null }
  /** Something failed on this device, such as the file having changed or gone. */
  | { readonly kind: 'failed'; readonly message: string };

/**
 * What the page gives the worker for sending. `client.ts` wraps callbacks in Comlink's `proxy`, so
 * the screen hands over plain functions.
 */
export interface Page {
  token(): Promise<Answer<string>>;
  /** Another token after the server has rejected one. */
  freshToken(): Promise<Answer<string>>;
  progress(progress: Progress): void;
  /** The line is down (`true`) and the worker is waiting to try again. */
  waiting(isWaiting: boolean): void;
}

export interface ImportWorker {
  /** Reads the whole file and sends nothing. A second call ends the first. */
  check(
    file: File,
    choice: Choice,
    onProgress: (progress: Progress) => void,
  ): Promise<CheckOutcome>;
  /**
   * Sends what the last `check` found. The page calls this and `resume` under one Web Lock, so that
   * of several tabs only one sends.
   */
  send(uid: string, page: Page): Promise<SendOutcome>;
  unfinished(uid: string): Promise<Unfinished | null>;
  /** Forgets imports of whomever that nobody has gone on with for two weeks. */
  forgetOld(): Promise<void>;
  /** @param file where the device does not hold it any more */
  resume(uid: string, importId: string, file: File | null, page: Page): Promise<SendOutcome>;
  /** Forgets an unfinished import; what was sent stays stored. */
  forget(importId: string): Promise<void>;
  /** Ends what is running. */
  cancel(): void;
  /** Every rejected row of the last check, or of what was resumed since, as a CSV that can be mended and imported again. */
  report(): Promise<Blob>;
  /** The first lines of a file as read with each encoding, to choose by looking. */
  peek(file: File, encoding: Encoding): Promise<string>;
  /** The catalogue on this device as a CSV file. */
  exportCatalogue(): Promise<Blob>;
}
