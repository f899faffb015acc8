/** The state of the import page, and what changes it: a chosen file, an answer, the progress of an import. */
import { areOwnHeadings } from '../csv/columns.ts';
import type { FileTable } from '../csv/file-table.ts';
import {
  DETECT_LAYOUT,
  type Match,
  type RememberedMatch,
  rememberedMatch,
} from '../csv/remembered.ts';
import type { LeftOut } from '../domain/row-counts.ts';
import { doubtsAbout, type Wishes } from './doubts.ts';
import { type Pace, pausePace, startPace, resumePace } from './pace.ts';
import type {
  FileCheck,
  CheckOutcome,
  Choice,
  Progress,
  SendOutcome,
  WaitReason,
} from './protocol.ts';

/** The state of the check of the chosen file. */
export type CheckState =
  | {
      readonly kind: 'checking';
      readonly progress: Progress | null;
      /** How the last check ended, under another choice. */
      readonly previous: CheckResult;
    }
  | CheckResult;

/** How the last check of the file ended; `none` before the first. */
export type CheckResult =
  | { readonly kind: 'none' }
  | Exclude<CheckOutcome, { readonly kind: 'cancelled' }>;

/** The state of the import itself. */
export type Run =
  | { readonly kind: 'idle' }
  /** The user has pressed Start before the check has ended. */
  | { readonly kind: 'reading' }
  /** The page asks the user whether to continue in spite of what the check found. */
  | { readonly kind: 'asking'; readonly check: FileCheck; readonly about: Concern }
  | SendingState;

/** What the page asks about: what makes the shop look poor, or prices that jump. */
export type Concern = 'doubts' | 'prices';

export interface SendingState {
  readonly kind: 'sending';
  readonly fileName: string;
  /** Null until the worker sends the first rows. */
  readonly progress: Progress | null;
  /** When the page got the progress, by `performance.now()`. */
  readonly progressAtMs: number;
  /** From which the page computes the speed and the time left. */
  readonly pace: Pace;
  /** What the worker waits for before it continues by itself; null while it sends. */
  readonly waitsFor: WaitReason | null;
  readonly isStopping: boolean;
  /** When the import of the same file was begun that this continues, in ms since 1970; null for a new one. */
  readonly continuesFrom: number | null;
  /** How many products, of those on sale, would go off sale; null while the page does not ask about them. */
  readonly leaving: { readonly count: number; readonly of: number } | null;
}

/** The outcome of the last press of a button. */
export type ImportOutcome =
  | SendOutcome
  | { readonly kind: 'no-file' }
  | { readonly kind: 'open-questions' }
  /** Asked about doubts or prices, the user chose not to import. */
  | { readonly kind: 'declined' }
  /** Not begun, because another tab is importing. */
  | { readonly kind: 'elsewhere' };

export interface SessionState {
  readonly file: File | null;
  readonly choice: Choice;
  /** "All or nothing": the page asks about rejected rows, however few. */
  readonly isStrict: boolean;
  /** Whether the user has said that the file is the whole range of the shop. */
  readonly isRange: boolean;
  readonly check: CheckState;
  readonly run: Run;
  readonly outcome: ImportOutcome | null;
  /** The rows that the last import left out, while the worker can still write their report. */
  readonly leftOut: LeftOut | null;
  /** Whether another tab of this browser is importing. */
  readonly isElsewhere: boolean;
}

const DETECT_ALL: Choice = {
  ...DETECT_LAYOUT,
  encoding: null,
  decimalMark: null,
  blankCellsClear: false,
};

export const NEW_SESSION: SessionState = {
  file: null,
  choice: DETECT_ALL,
  isStrict: false,
  isRange: false,
  check: { kind: 'none' },
  run: { kind: 'idle' },
  outcome: null,
  leftOut: null,
  isElsewhere: false,
};

/** A new file resets the state, except the switch `isStrict` and whether another tab is importing. */
export function withFile(
  { isElsewhere, isStrict }: SessionState,
  file: File | null,
  remembered: readonly RememberedMatch[] = [],
): SessionState {
  return { ...NEW_SESSION, file, choice: { ...DETECT_ALL, remembered }, isStrict, isElsewhere };
}

/** When more than this share of the changed prices are jumps, the decimal mark may be read wrongly. */
const MANY_PRICE_JUMPS = 0.02;

/** What the page must ask the user about before it sends anything, in this order. */
export function concernsAbout(check: FileCheck, wishes: Wishes): readonly Concern[] {
  return [
    ...(doubtsAbout(check, wishes).length > 0 ? (['doubts'] as const) : []),
    ...(hasManyPriceJumps(check) ? (['prices'] as const) : []),
  ];
}

export function hasManyPriceJumps({ prices }: FileCheck): boolean {
  return prices.jumps > prices.moved * MANY_PRICE_JUMPS;
}

export function newSendingState(fileName: string, nowMs: number): SendingState {
  return {
    kind: 'sending',
    fileName,
    progress: null,
    progressAtMs: nowMs,
    pace: startPace(nowMs),
    waitsFor: null,
    isStopping: false,
    continuesFrom: null,
    leaving: null,
  };
}

export function withProgress(run: Run, progress: Progress, nowMs: number): Run {
  return run.kind === 'sending' ? { ...run, progress, progressAtMs: nowMs } : run;
}

export function withWaiting(run: Run, waitsFor: WaitReason | null, nowMs: number): Run {
  if (run.kind !== 'sending') return run;
  const pace = waitsFor === null ? resumePace(run.pace, nowMs) : pausePace(run.pace, nowMs);
  return { ...run, waitsFor, pace };
}

/** The last finding about the file, also while the worker reads it again. */
export function findingOf(check: CheckState): CheckResult {
  return check.kind === 'checking' ? check.previous : check;
}

/** The columns of the file, as the last check found them. */
export function tableOf(check: CheckState): FileTable | null {
  const finding = findingOf(check);
  if (finding.kind === 'checked') return finding.check.table;
  return finding.kind === 'ask-columns' ? finding.table : null;
}

/** The match of the last check, with the columns that the user has chosen since; a new check is under way. */
export function shownMatch(table: FileTable, { columns }: Choice): Match {
  return { ...table.match, ...columns };
}

/**
 * How the user has matched the columns of the checked file; null where the headings or a remembered match did.
 * Also null under the shop's own headings, and where a field has a column without a heading: such a match holds for
 * this file only.
 */
export function newMatchOf({ check }: SessionState): RememberedMatch | null {
  if (check.kind !== 'checked') return null;
  const { columns, match, origin } = check.check.table;
  if (areOwnHeadings(columns.map(({ header }) => header))) return null;
  return origin === 'chosen' ? rememberedMatch(columns, match, Date.now()) : null;
}

/** Whether the last check found that the file cannot be imported as it is read. */
export function isBlocked(check: CheckState): boolean {
  return check.kind === 'fault' || check.kind === 'ask-columns';
}

export function isImporting({ run }: SessionState): boolean {
  return run.kind !== 'idle';
}
