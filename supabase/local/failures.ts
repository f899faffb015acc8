/**
 * A failure that the user in the terminal can mend. Its message says in one or two sentences what is
 * wrong and what to do. It is printed without a stack trace.
 */
export class PlainFailure extends Error {
  override readonly name: string = 'PlainFailure';
}

export class DataFolderUnwritable extends PlainFailure {
  override readonly name = 'DataFolderUnwritable';
  constructor(folder: string, cause: unknown) {
    super(
      `The shop cannot write to its data folder ${folder} (${messageWithoutStop(cause)}). ` +
        'Give this user the right to write there, or set WEFT_DATA to another folder.',
      { cause },
    );
  }
}

export class DataFolderForeign extends PlainFailure {
  override readonly name = 'DataFolderForeign';
  constructor(folder: string) {
    super(
      `The folder ${folder} holds files that are not this shop's, so nothing in it was touched. ` +
        'Set WEFT_DATA to an empty or new folder.',
    );
  }
}

export class DataFolderDamaged extends PlainFailure {
  override readonly name = 'DataFolderDamaged';
  constructor(folder: string, what: string, cause?: unknown) {
    super(
      `The data folder ${folder} is half-written or damaged: ${what}. ` +
        'Run `npm run reset` to empty it; the next start begins with the sample catalogue.',
      { cause },
    );
  }
}

export class DataFolderInUse extends PlainFailure {
  override readonly name = 'DataFolderInUse';
  constructor(folder: string, pid: number, lockFile: string) {
    super(
      `The data folder ${folder} is in use by another running shop (process ${pid}). ` +
        'Stop that one first, or set WEFT_DATA to another folder. ' +
        `If process ${pid} is certainly not a shop, delete ${lockFile}.`,
    );
  }
}

export class DatabaseUnreachable extends PlainFailure {
  override readonly name = 'DatabaseUnreachable';
  constructor(cause: unknown) {
    super(
      `The PostgreSQL server does not answer (${messageWithoutStop(cause)}). ` +
        'Check that it runs and that the address, user and password are right.',
      { cause },
    );
  }
}

export class MigrationFailed extends PlainFailure {
  override readonly name = 'MigrationFailed';
  readonly file: string;
  constructor(file: string, cause: unknown) {
    super(
      `The migration ${file} failed, and nothing of it was kept: ${messageWithoutStop(cause)}. ` +
        'Correct the file and start again.',
      { cause },
    );
    this.file = file;
  }
}

/** The message of anything thrown, without a full stop at its end. */
export function messageWithoutStop(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replace(/\.$/, '');
}
