/** What only the owner of the Supabase project can see: mail, redirects, migrations, policies. */
import pg from 'pg';
import { fieldsOf } from '../../src/domain/fields.ts';
import { backendSettings, siteUrl } from '../lib/env.ts';
import { type Check, type Deployment, fault, type Finding, notChecked, ok } from './finding.ts';
import { jsonIn, request } from './request.ts';
import { readerOf, settingsOrNull } from './settings.ts';
import { migrationFiles, PUSH_COMMAND } from './tree.ts';

const TIMEOUT_MS = 15_000;

export const checkProject: Check = async (deployment) => [
  ...(await checkAuth(deployment)),
  ...(await checkDatabase(deployment)),
];

/** Source: Supabase's Management API, "Gets project's auth config". */
async function checkAuth(deployment: Deployment): Promise<readonly Finding[]> {
  const read = readerOf(deployment);
  const subject = 'Mail and redirects';
  const token = read('SUPABASE_ACCESS_TOKEN')?.trim();
  if (!token) return [notChecked(subject, 'SUPABASE_ACCESS_TOKEN is not set')];
  const backend = settingsOrNull(() => backendSettings(read));
  const project = /^https:\/\/([a-z0-9]+)\.supabase\.co$/.exec(backend?.url ?? '')?.[1];
  if (project === undefined) return [notChecked(subject, 'the backend is not hosted by Supabase')];
  const fields = await authConfig(deployment, project, token);
  if (fields === null) {
    return [fault('SUPABASE_ACCESS_TOKEN', 'Supabase refuses it for this project.')];
  }
  const url = settingsOrNull(() => siteUrl(read)) ?? '';
  return [redirects(fields, url), mail(fields), confirmation(fields), passwords(fields)];
}

type Config = Readonly<Record<string, unknown>>;

async function authConfig(
  deployment: Deployment,
  project: string,
  token: string,
): Promise<Config | null> {
  const address = `https://api.supabase.com/v1/projects/${project}/config/auth`;
  const response = await request(deployment, address, {
    headers: { authorization: `Bearer ${token}` },
  });
  const answer = response?.ok ? await jsonIn(response) : null;
  return answer === null ? null : fieldsOf(answer);
}

function redirects(config: Config, url: string): Finding {
  const subject = 'Redirects';
  if (withoutSlash(config['site_url']) !== url) {
    return fault(
      subject,
      `Site URL is not ${url}: set it under Authentication > URL configuration.`,
    );
  }
  const allowed = typeof config['uri_allow_list'] === 'string' ? config['uri_allow_list'] : '';
  if (allowed.split(',').some((entry) => entry.trim() === `${url}/**`)) {
    return ok(subject, `back to ${url}`);
  }
  return fault(subject, `${url}/** is missing under Authentication > URL configuration.`);
}

function withoutSlash(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\/+$/, '') : '';
}

/** The project's own mail goes to its team only: nobody else could register. */
function mail(config: Config): Finding {
  if (typeof config['smtp_host'] === 'string' && config['smtp_host'] !== '') {
    return ok('Mail', 'through your own SMTP');
  }
  return fault('Mail', 'No SMTP is set, so only your team gets mail: set it under Emails > SMTP.');
}

function confirmation(config: Config): Finding {
  if (config['mailer_autoconfirm'] === true) {
    return fault('Registration', 'E-mail addresses are not confirmed: switch confirmation on.');
  }
  return ok('Registration', 'e-mail addresses are confirmed');
}

function passwords(config: Config): Finding {
  if (config['security_update_password_require_reauthentication'] !== true) {
    return fault('Passwords', 'Any old session may change one: switch on Secure password change.');
  }
  if (config['security_update_password_require_current_password'] !== true) {
    return fault(
      'Passwords',
      'Who finds a phone may change one: switch on Require current password when updating.',
    );
  }
  return ok('Passwords', 'change by a link in a mail only');
}

async function checkDatabase({ environment }: Deployment): Promise<readonly Finding[]> {
  const connectionString = environment['SUPABASE_DB_URL']?.trim();
  const subject = 'Migrations and policies';
  if (!connectionString) return [notChecked(subject, 'SUPABASE_DB_URL is not set')];
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    await client.query('set default_transaction_read_only = on');
    return [await migrations(client), await policies(client)];
  } catch {
    return [
      fault('SUPABASE_DB_URL', 'The database does not answer there, or refuses the password.'),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrations(client: pg.Client): Promise<Finding> {
  const { rows: tables } = await client.query(
    "select from pg_tables where schemaname = 'supabase_migrations' and tablename = 'schema_migrations'",
  );
  if (tables.length === 0) return fault('Migrations', `None was applied by ${PUSH_COMMAND}.`);
  const { rows } = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  );
  const applied = new Set(rows.map(({ version }) => version));
  const missing = migrationFiles().filter((file) => !applied.has(file.split('_', 1)[0] ?? ''));
  if (missing.length === 0) return ok('Migrations', `all ${migrationFiles().length} are applied`);
  return fault('Migrations', `Not applied: ${missing.join(', ')}. Run ${PUSH_COMMAND}.`);
}

/** Every table of the API must have row-level security, or its grants alone decide. */
async function policies(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity order by 1",
  );
  if (rows.length === 0) return ok('Policies', 'every table has row-level security');
  const names = rows.map(({ relname }) => relname).join(', ');
  return fault('Policies', `Row-level security is off for ${names}: switch it on.`);
}
