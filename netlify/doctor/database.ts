/**
 * Whether the migrations and policies are in the database. The doctor signs in as the database's owner, so
 * it sends the password to this machine itself, or over TLS to a server whose certificate it has checked:
 * the `sslmode` and the other parameters of the address do not count.
 */
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { fieldsOf } from '../../src/domain/fields.ts';
import { isLoopback } from '../lib/env.ts';
import { type Check, fault, type Finding, notChecked, ok, PUSH_COMMAND } from './finding.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const TIMEOUT_MS = 15_000;
/** A server's answer where it takes no TLS. Source: PostgreSQL manual, "SSL Session Encryption". */
const NO_TLS = 'N'.charCodeAt(0);
/** Node's codes for a certificate that it refuses. Source: Node's manual, "X509 certificate error codes". */
const REFUSED_CERTIFICATE = /CERT|UNABLE_TO_VERIFY|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/;
const DOWNLOAD =
  'download the certificate at Supabase (Database > Settings > SSL Configuration), and set SUPABASE_DB_CA to the path of the file.';

export const checkDatabase: Check = async ({ environment }) => {
  const text = environment['SUPABASE_DB_URL']?.trim();
  if (!text) return [notChecked('Migrations and policies', 'SUPABASE_DB_URL is not set')];
  const server = parseAddress(text);
  if (server === null) {
    return [
      fault(
        'SUPABASE_DB_URL',
        'is no address of a database: copy it again (Connect > Session pooler), and write # / ? % and @ in the password as %23 %2F %3F %25 and %40.',
      ),
    ];
  }
  const authorityFile = environment['SUPABASE_DB_CA']?.trim();
  const ca = authorityFile ? readCertificate(authorityFile) : undefined;
  if (ca === null) {
    return [fault('SUPABASE_DB_CA', `${authorityFile} holds no certificate: ${DOWNLOAD}`)];
  }
  return examineDatabase(server, ca);
};

interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Whether it is on this machine, where the password does not go over a network. */
  readonly isLocal: boolean;
}

/**
 * Returns null for an address that cannot be read. A `#` or `/` in a password may end the host early, so that
 * part of the password is read as the port; then the address has a hash or no user.
 */
function parseAddress(text: string): Server | null {
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return null;
  if (url.hostname === '' || url.username === '' || url.hash !== '') return null;
  try {
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
      isLocal: isLoopback(url),
    };
  } catch {
    return null;
  }
}

/** The text of a file that begins with a certificate, as Node parses it; null where there is none. */
function readCertificate(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return new X509Certificate(text).raw.length > 0 ? text : null;
  } catch {
    return null;
  }
}

/** @param ca the authorities that may sign the server's certificate; by default those that Node knows */
async function examineDatabase(
  { isLocal, ...server }: Server,
  ca: string | undefined,
): Promise<readonly Finding[]> {
  const socket = new Socket();
  let refusesTls = false;
  socket.once('data', (answer: Buffer) => {
    refusesTls = !isLocal && answer[0] === NO_TLS;
  });
  const client = new pg.Client({
    ...server,
    ssl: isLocal ? false : { rejectUnauthorized: true, ca },
    stream: () => socket,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A connection that breaks rejects the query, and emits this event as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('set default_transaction_read_only = on');
    return [await checkMigrations(client), await checkPolicies(client)];
  } catch (thrown) {
    return [connectionFault(thrown, refusesTls)];
  } finally {
    socket.destroy();
  }
}

function connectionFault(thrown: unknown, refusesTls: boolean): Finding {
  if (refusesTls) {
    return fault(
      'SUPABASE_DB_URL',
      'The server takes no TLS, so the password was not sent: copy the address again (Connect > Session pooler).',
    );
  }
  const { code } = fieldsOf(thrown);
  if (typeof code === 'string' && REFUSED_CERTIFICATE.test(code)) {
    return fault(
      'SUPABASE_DB_CA',
      `The database’s certificate is refused (${code}), so the password was not sent: ${DOWNLOAD}`,
    );
  }
  return fault('SUPABASE_DB_URL', 'The database does not answer there, or refuses the password.');
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const { rows: tables } = await client.query(
    "select from pg_tables where schemaname = 'supabase_migrations' and tablename = 'schema_migrations'",
  );
  if (tables.length === 0) return fault('Migrations', `None was applied by ${PUSH_COMMAND}.`);
  const { rows } = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  );
  const applied = new Set(rows.map(({ version }) => version));
  const missing = readdirSync(MIGRATIONS).filter(
    (file) => !applied.has(file.split('_', 1)[0] ?? ''),
  );
  if (missing.length === 0) return ok('Migrations', 'all are applied');
  return fault('Migrations', `Not applied: ${missing.join(', ')}. Run ${PUSH_COMMAND}.`);
}

/** Every table of the API must have row-level security, or its grants alone decide. */
async function checkPolicies(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity order by 1",
  );
  if (rows.length === 0) return ok('Policies', 'every table has row-level security');
  const names = rows.map(({ relname }) => relname).join(', ');
  return fault('Policies', `Row-level security is off for ${names}: switch it on.`);
}
