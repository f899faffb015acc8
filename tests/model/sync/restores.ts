/**
 * The database is put back to a backup: it loses its last transactions and goes on. What was
 * acknowledged since the backup is lost; phones become equal to the server all the same.
 */
import type { Environment } from './environment.ts';
import type { ServerBackup } from './server.ts';

interface Backup {
  readonly server: ServerBackup;
  readonly oracle: ReturnType<Environment['oracle']['backup']>;
  /** So many more transactions are lost. */
  transactionsLeft: number;
}

export class Restores {
  #environment: Environment;
  #backup: Backup | null = null;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** From here on, `transactions` will be lost. */
  async backup(transactions: number): Promise<void> {
    const { server, oracle, users, clock } = this.#environment;
    const saved = await clock.outside(() => server.backup(users));
    this.#backup = { server: saved, oracle: oracle.backup(), transactionsLeft: transactions };
  }

  /** A transaction has been written. */
  count(): void {
    const backup = this.#backup;
    if (!backup) return;
    backup.transactionsLeft -= 1;
    if (backup.transactionsLeft > 0) return;
    this.#environment.clock.after(0, () => this.restore(), null);
  }

  /** At once, however many have been written; nothing without a backup. */
  async restore(): Promise<void> {
    const backup = this.#backup;
    if (!backup) return;
    this.#backup = null;
    const { server, oracle, clock, verdicts } = this.#environment;
    await clock.outside(() => server.restore(backup.server));
    oracle.restore(backup.oracle);
    verdicts.fault('database restored');
  }
}
