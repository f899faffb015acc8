/**
 * Restores the database from a backup, so that it loses its last transactions. Changes that the server
 * acknowledged since the backup are lost, and yet phones must become equal to the server.
 */
import type { Environment } from './environment.ts';
import type { ServerBackup } from './server.ts';

interface Backup {
  readonly server: ServerBackup;
  /** What the oracle knew at that time. */
  readonly oracle: ReturnType<Environment['oracle']['backup']>;
  /** The database is restored after this many more transactions. */
  transactionsLeft: number;
}

export class Restores {
  #environment: Environment;
  #backup: Backup | null = null;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Makes a backup, which is restored after `transactions` more transactions. */
  async backup(transactions: number): Promise<void> {
    const { server, oracle, users, clock } = this.#environment;
    const saved = await clock.inRealTime(() => server.backup(users));
    this.#backup = { server: saved, oracle: oracle.backup(), transactionsLeft: transactions };
  }

  /** Counts a transaction that the database has written. After the last one, schedules the restore. */
  countTransaction(): void {
    const backup = this.#backup;
    if (!backup) return;
    backup.transactionsLeft -= 1;
    if (backup.transactionsLeft > 0) return;
    const noTab = null;
    this.#environment.clock.after(0, () => this.restoreDatabase(), noTab);
  }

  /** Restores the database now from the backup that waits; does nothing when none waits. */
  async restoreDatabase(): Promise<void> {
    const backup = this.#backup;
    if (!backup) return;
    this.#backup = null;
    const { server, oracle, clock, verdicts } = this.#environment;
    await clock.inRealTime(() => server.restore(backup.server));
    this.#environment.hasBeenRestored = true;
    oracle.restore(backup.oracle);
    verdicts.fault('database restored');
  }
}
