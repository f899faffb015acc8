/** What the journeys need of a browser engine, so that each journey is written once and runs in all engines. */
import type { LineQuality } from '../browser/line-quality.ts';

/** A tab of a browser. Expressions are JavaScript, which runs even if the page's policy forbids `eval`. */
export interface Tab {
  goto(url: string): Promise<void>;
  /** Evaluates an expression and returns its value as plain data; awaits a promise. */
  evaluate<T>(expression: string): Promise<T>;
  /** The element to which an expression evaluates, or null. */
  element(expression: string): Promise<TabElement | null>;
  /** Presses Enter where the focus is. */
  pressEnter(): Promise<void>;
}

/** An element of a page, and what a person does to it. */
export interface TabElement {
  click(): Promise<void>;
  type(text: string): Promise<void>;
  /** Chooses a file of this machine in a file input. */
  chooseFile(path: string): Promise<void>;
}

/** A browser that runs, with one profile. */
export interface EngineBrowser {
  newTab(): Promise<Tab>;
  /** Ends all its processes. */
  close(): Promise<void>;
}

/** Whether pages may store anything; `blocked` is a browser whose user blocks all cookies. */
export type StorageAccess = 'allowed' | 'blocked';

export interface Engine {
  readonly name: 'chromium' | 'firefox' | 'webkit' | 'weak phone';
  /** The line between browser and shop; absent where nothing is slowed down. */
  readonly line?: LineQuality;
  /**
   * @param profile an empty folder, or one that a browser of this engine has left
   * @param storage `allowed` by default
   */
  open(profile: string, storage?: StorageAccess): Promise<EngineBrowser>;
}

/** The expression that calls a function with plain data. The function must use nothing from outside its body. */
export function callOf<A extends unknown[]>(work: (...args: A) => unknown, ...args: A): string {
  return `(${work.toString()})(...${JSON.stringify(args)})`;
}
