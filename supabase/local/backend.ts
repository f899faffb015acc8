/**
 * The embedded backend: the database, REST and auth services of a Supabase project in this process,
 * under the same migrations and policies, so that supabase-js is used as it is.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from '@supabase/lite';
import { parse } from 'smol-toml';
import { fieldsOf } from '../../src/domain/fields.ts';
import type { NewAccount } from './accounts.ts';
import { addAccount } from './accounts.ts';
import type { Database } from './connection.ts';
import { openPglite, openServer } from './connection.ts';
import type { DataFolder, Secrets } from './data-folder.ts';
import { newSecrets, openDataFolder } from './data-folder.ts';
import { DataFolderDamaged, messageWithoutStop, MigrationFailed } from './failures.ts';
import { LOCAL_PUBLISHABLE_KEY } from './keys.ts';
import { loadLibrary } from './library.ts';
import type { Mail } from './mailbox.ts';
import { attributeMailsTo, Mailbox } from './mailbox.ts';
import { keepPrivileges, migrate } from './migrate.ts';
import type { Noise } from './noise.ts';
import { printToTerminal, noiseToFile, withNoise } from './noise.ts';
import { challengeIn, followLink, isPkceLink, storeChallenge } from './pkce.ts';
import type { Realtime } from './realtime.ts';
import { openRealtime } from './realtime.ts';
import { addressToConfirm, mailConfirmationAgain } from './resend.ts';

export interface BackendOptions {
  /** Where the data are stored between starts; `memory` stores nothing. */
  readonly dataFolder: string;
  /** A PostgreSQL server to use instead of the embedded one. */
  readonly databaseUrl?: string;
  readonly onMail?: (mail: Mail) => void;
  /** Prints a line for the user in the terminal. */
  readonly log: (line: string) => void;
  /** A new database to copy, which is faster than making one. */
  readonly image?: Blob;
  /** Folder that holds `supabase/`; for tests of failing migrations. */
  readonly project?: string;
}

export interface Backend {
  /** Answers a request to `/rest/v1` or `/auth/v1`. The address is the socket's, never a header's. */
  fetch(request: Request, peerAddress: string | null): Promise<Response>;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Signs access tokens (HS256). */
  readonly jwtSecret: string;
  readonly mails: readonly Mail[];
  /** Puts a mail that the shop has sent beside those of the auth service. */
  readonly receiveMail: (mail: Pick<Mail, 'to' | 'subject' | 'text'>) => Promise<void>;
  /** Sets where links in mails lead; the host calls this once it has an address. */
  useSiteUrl(url: string): void;
  /** Makes a confirmed account and returns the user's id. */
  addAccount(account: NewAccount): Promise<string>;
  readonly query: Database['query'];
  readonly listen: Database['listen'];
  readonly realtime: Realtime;
  /** Waits for the requests under way, then closes the database. */
  close(): Promise<void>;
}

const PROJECT = resolve(import.meta.dirname, '../..');

/**
 * Opens the backend and applies pending migrations.
 *
 * @throws a PlainFailure (failures.ts), whose message is for the user
 */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  // Keeps the library from sending telemetry.
  process.env['DO_NOT_TRACK'] = '1';
  const folder = options.dataFolder === 'memory' ? undefined : openDataFolder(options.dataFolder);
  const noise: Noise = folder ? noiseToFile(folder.log) : () => undefined;
  try {
    return await withNoise(noise, () => open(options, folder, noise));
  } catch (thrown) {
    folder?.release();
    if (folder !== undefined && isDamage(thrown)) {
      throw new DataFolderDamaged(folder.path, messageWithoutStop(thrown), thrown);
    }
    throw thrown;
  }
}

/** SQLSTATE classes 58 (a file cannot be read) and XX (its content makes no sense). */
function isDamage(thrown: unknown): boolean {
  const cause = thrown instanceof MigrationFailed ? thrown.cause : thrown;
  return cause instanceof Error && 'code' in cause && /^(58|XX)/.test(String(cause.code));
}

async function open(
  options: BackendOptions,
  folder: DataFolder | undefined,
  noise: Noise,
): Promise<Backend> {
  const { databaseUrl, project = PROJECT } = options;
  const secrets = folder?.secrets ?? newSecrets();
  const mailbox = new Mailbox(
    (mail) => printToTerminal(() => options.onMail?.(mail)),
    folder?.mails,
  );
  const createMigratedApp = async (database: Database) => {
    const app = await createApp(database, secrets, mailbox);
    await migrate(app, database, project);
    return app;
  };
  if (databaseUrl !== undefined) {
    // The library can migrate a server only through a single session (see `openServer`).
    await closingOnFailure(await openServer(databaseUrl, { sessions: 1 }), async (database) => {
      await createMigratedApp(database);
      await database.close();
    });
  }
  const opened = await (databaseUrl === undefined
    ? openPglite({
        folder,
        image: options.image,
        log: (line) => printToTerminal(() => options.log(line)),
      })
    : openServer(databaseUrl));
  return closingOnFailure(opened, async (database) => {
    const app = await (databaseUrl === undefined
      ? createMigratedApp(database)
      : createApp(database, secrets, mailbox));
    keepPrivileges(app);
    const keys = { ...secrets, publishableKey: LOCAL_PUBLISHABLE_KEY };
    const realtime = await openRealtime(database, keys);
    return backendOf(app, database, realtime, secrets, mailbox, noise, folder);
  });
}

async function closingOnFailure<T>(
  database: Database,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await use(database);
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}

/**
 * Reads `config.toml` without what only a hosted project has: the site's address, the SMTP server,
 * second factors and limits.
 * The library calls `auth.email.enabled` by its former name, `enable_signup`.
 */
function localConfig(): { readonly auth: object } {
  const config = parse(readFileSync(join(PROJECT, 'supabase/config.toml'), 'utf8'));
  const { site_url: _, mfa: _mfa, rate_limit: _limits, email, ...auth } = fieldsOf(config['auth']);
  const { smtp: __, enabled: enable_signup, ...mail } = fieldsOf(email);
  return { ...config, auth: { ...auth, email: { ...mail, enable_signup } } };
}

async function createApp(database: Database, secrets: Secrets, mailbox: Mailbox): Promise<App> {
  const { App } = await loadLibrary(() => import('@supabase/lite'));
  const config = localConfig();
  const app = new App({
    ...config,
    auth: {
      ...config.auth,
      jwt_secret: secrets.jwtSecret,
      secret_key: secrets.secretKey,
      publishable_key: LOCAL_PUBLISHABLE_KEY,
    },
    connection: database.connection,
    options: {
      // Admin mode would serve requests without a key as service_role.
      server: { admin: false, disableStudio: true },
      drivers: { email: mailbox },
    },
  });
  return app.init();
}

function backendOf(
  app: App,
  database: Database,
  realtime: Realtime,
  secrets: Secrets,
  mailbox: Mailbox,
  noise: Noise,
  folder: DataFolder | undefined,
): Backend {
  let closing: Promise<void> | undefined;
  return {
    async fetch(request, peerAddress) {
      // Reads the body before it takes its turn: a slow client must not block the other requests.
      const body = request.body === null ? null : await request.arrayBuffer();
      const { method, headers, signal, url } = request;
      const challenge = challengeIn(url, body);
      const cause = { url, isPkce: challenge !== null };
      const answer = async (request: Request) => {
        if (closing !== undefined) return new Response(null, { status: 503 });
        return database.exclusively(() =>
          withNoise(noise, () =>
            attributeMailsTo(cause, async () => app.fetch(request, { peerAddress })),
          ),
        );
      };
      const buffered = new Request(url, { method, headers, signal, body });
      if (isPkceLink(url)) return followLink(buffered, database.query, answer);
      const toConfirm = addressToConfirm(url, body);
      const response = await (toConfirm === null
        ? answer(buffered)
        : attributeMailsTo(cause, () => mailConfirmationAgain(database.query, mailbox, toConfirm)));
      if (challenge !== null && response.ok) await storeChallenge(database.query, challenge);
      return response;
    },
    publishableKey: LOCAL_PUBLISHABLE_KEY,
    secretKey: secrets.secretKey,
    jwtSecret: secrets.jwtSecret,
    get mails() {
      return mailbox.mails;
    },
    receiveMail: (mail) => mailbox.send(mail),
    useSiteUrl(url) {
      if (app.config.auth !== undefined) app.config.auth.site_url = url;
    },
    addAccount: (account) => withNoise(noise, () => addAccount(app, database, account)),
    query: database.query,
    listen: database.listen,
    realtime,
    close() {
      closing ??= realtime
        .close()
        .then(() => withNoise(noise, () => database.close()))
        .finally(() => folder?.release());
      return closing;
    },
  };
}
