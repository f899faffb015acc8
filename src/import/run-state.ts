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
import type { Pace } from './pace.ts';
import type {
  FileCheck,
  CheckOutcome,
  Choice,
  Progress,
  SendOutcome,
  WaitReason,
} from './protocol.ts';

/** What the last check of the chosen file has found; `none` before the first. It stays while the worker reads again. */
export type FileFinding =
  | { readonly kind: 'none' }
  | Exclude<CheckOutcome, { readonly kind: 'cancelled' }>;

/** Where the page stands. README.md draws how one step leads to another. */
export type Step =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'reading';
      /** Null until the worker has read the first slice. */
      readonly progress: Progress | null;
      /** Whether the user has pressed Start already. */
      readonly isStarting: boolean;
    }
  /** `concern`: what the page asks about before it sends; null while it asks nothing. */
  | { readonly kind: 'checked'; readonly concern: Concern | null }
  | SendingStep
  | {
      readonly kind: 'done';
      readonly outcome: Extract<SendOutcome, { readonly kind: 'done' }>;
      /** The rows that were left out. The worker can still write their report. */
      readonly leftOut: LeftOut;
      /** What was sent, for the user who mends rejected rows afterwards. */
      readonly sent: Pick<RunState, 'file' | 'choice'>;
    };

/** What the page asks about: what makes the shop look poor, or prices that jump. */
export type Concern = 'doubts' | 'prices';

export interface SendingStep {
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

/** Why the last press of a button has not led to an import. */
export type StartFailure =
  | Exclude<SendOutcome, { readonly kind: 'done' }>
  | { readonly kind: 'no-file' }
  | { readonly kind: 'open-questions' }
  /** Asked about doubts or prices, the user chose not to import. */
  | { readonly kind: 'declined' };

export interface RunState {
  readonly file: File | null;
  readonly choice: Choice;
  /** "All or nothing": the page asks about rejected rows, however few. */
  readonly isStrict: boolean;
  /** Whether the user has said that the file is the whole range of the shop. */
  readonly isRange: boolean;
  readonly step: Step;
  readonly finding: FileFinding;
  readonly failure: StartFailure | null;
}

const DETECT_ALL: Choice = {
  ...DETECT_LAYOUT,
  encoding: null,
  decimalMark: null,
  blankCellsClear: false,
};

export const NEW_RUN: RunState = {
  file: null,
  choice: DETECT_ALL,
  isStrict: false,
  isRange: false,
  step: { kind: 'idle' },
  finding: { kind: 'none' },
  failure: null,
};

/** A new file resets the state, except the switch `isStrict`. */
export function withFile(
  { isStrict }: RunState,
  file: File | null,
  remembered: readonly RememberedMatch[] = [],
): RunState {
  return { ...NEW_RUN, file, choice: { ...DETECT_ALL, remembered }, isStrict };
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

export function firstSendingStep(fileName: string, nowMs: number): SendingStep {
  return {
    kind: 'sending',
    fileName,
    progress: null,
    progressAtMs: nowMs,
    pace: { sinceMs: nowMs, rows: 0 },
    waitsFor: null,
    isStopping: false,
    continuesFrom: null,
    leaving: null,
  };
}

/** After a wait the speed is measured anew. */
export function withWaiting(
  step: SendingStep,
  waitsFor: WaitReason | null,
  nowMs: number,
): SendingStep {
  const rows = step.progress?.rows ?? 0;
  return { ...step, waitsFor, pace: waitsFor === null ? { sinceMs: nowMs, rows } : step.pace };
}

/** The step to which the page returns when a press of Start has led to nothing. */
export function stepBack({ step, file }: RunState): Step {
  if (step.kind === 'reading') return { ...step, isStarting: false };
  return file ? { kind: 'checked', concern: null } : step;
}

/** The columns of the file, as the last check found them. */
export function tableOf(finding: FileFinding): FileTable | null {
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
export function newMatchOf(finding: FileFinding): RememberedMatch | null {
  if (finding.kind !== 'checked') return null;
  const { columns, match, origin } = finding.check.table;
  if (areOwnHeadings(columns.map(({ header }) => header))) return null;
  return origin === 'chosen' ? rememberedMatch(columns, match, Date.now()) : null;
}

/** Whether the last check found that the file cannot be imported as it is read. */
export function isBlocked({ kind }: FileFinding): boolean {
  return kind === 'fault' || kind === 'ask-columns';
}

/** Whether Start has been pressed, and its import has not ended. */
export function isImporting({ step }: RunState): boolean {
  switch (step.kind) {
    case 'reading':
      return step.isStarting;
    case 'checked':
      return step.concern !== null;
    case 'sending':
      return true;
    case 'idle':
    case 'done':
      return false;
  }
}
