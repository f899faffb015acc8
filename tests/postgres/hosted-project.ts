/**
 * A database like that of a new hosted project: Supabase's services own it, the project's owner is not
 * a superuser, and requests log in as `authenticator`, which has only the rights of its roles.
 *
 * Source: `supabase/postgres`, `migrations/db/init-scripts` (00000000000000-initial-schema.sql,
 * 00000000000001-auth-schema.sql) and `migrations/db/migrations` (10000000000000_demote-postgres.sql,
 * 20211122051245_update_auth_permissions.sql, 20221028101028_set_authenticator_timeout.sql), and for the schema
 * `realtime` `supabase/realtime`, `lib/realtime/tenants/repo/migrations`.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { startPostgres } from './server.ts';
import { asTexts } from './sessions.ts';

/** On hosted Supabase this role is called `postgres`; here that is the superuser. */
const OWNER = 'project_owner';
/** The role as which PostgREST logs in. */
const LOGIN = 'authenticator';

const HOSTED_SETUP = `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role ${LOGIN} login noinherit;
  grant anon, authenticated, service_role to ${LOGIN};
  alter role ${LOGIN} set statement_timeout = '8s';
  alter role ${LOGIN} set lock_timeout = '8s';
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';
  create role supabase_auth_admin nologin noinherit createrole;
  create role supabase_realtime_admin nologin noinherit;
  create role ${OWNER} login createdb createrole replication bypassrls;
  grant anon, authenticated, service_role to ${OWNER} with admin option;
  grant all on database postgres to ${OWNER};
  grant all on schema public to ${OWNER};
  grant usage on schema public to anon, authenticated, service_role;
  alter default privileges for role ${OWNER} in schema public
    grant all on tables to anon, authenticated, service_role;
  alter default privileges for role ${OWNER} in schema public
    grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role ${OWNER} in schema public
    grant all on functions to anon, authenticated, service_role;

  create schema auth authorization supabase_auth_admin;
  set role supabase_auth_admin;
  create table auth.users (
    id uuid primary key default gen_random_uuid(),
    email text unique,
    encrypted_password text,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    created_at timestamptz,
    last_sign_in_at timestamptz
  );
  create table auth.sessions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references auth.users on delete cascade,
    created_at timestamptz,
    user_agent text,
    ip inet
  );
  create table auth.audit_log_entries (
    id uuid primary key default gen_random_uuid(),
    payload json
  );
  create function auth.uid() returns uuid language sql stable as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  grant usage on schema auth to anon, authenticated, service_role;
  grant all on schema auth to ${OWNER};
  grant all on all tables in schema auth to ${OWNER};
  reset role;

  create schema realtime authorization supabase_realtime_admin;
  set role supabase_realtime_admin;
  create table realtime.messages (
    id uuid not null default gen_random_uuid(),
    topic text not null,
    extension text not null,
    payload jsonb,
    event text,
    private boolean default false,
    inserted_at timestamp not null default now(),
    primary key (id, inserted_at)
  ) partition by range (inserted_at);
  create table realtime.messages_now partition of realtime.messages default;
  alter table realtime.messages enable row level security;
  create function realtime.topic() returns text language sql stable as $$
    select nullif(current_setting('realtime.topic', true), '')::text
  $$;
  create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
  returns void language plpgsql as $$
  begin
    begin
      execute format('set local realtime.topic to %L', topic);
      insert into realtime.messages (payload, event, topic, private, extension)
      values (payload, event, topic, private, 'broadcast');
    exception when others then
      raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
    end;
  end $$;
  grant usage on schema realtime to anon, authenticated, service_role, ${OWNER};
  grant select, insert, update on realtime.messages to anon, authenticated, service_role;
  grant all on realtime.messages to ${OWNER};
  reset role;
  -- Hosted projects let their owner make policies on this table by \`supautils.policy_grants\`. A plain server
  -- lets members of the table's owner make them; in older projects the owner is such a member.
  grant supabase_realtime_admin to ${OWNER}`;

/** npx downloads it (140 MB) when the test runs, because nothing else needs it. */
const CLI = 'supabase@3.1.0';
/** The variables that `supabase/config.toml` reads from the environment. */
const SETTINGS = {
  SITE_URL: 'https://shop.example',
  SMTP_HOST: 'smtp.shop.example',
  SMTP_USER: 'shop',
  SMTP_PASSWORD: 'secret-1',
  SMTP_FROM: 'hello@shop.example',
};
const PROJECT = join(import.meta.dirname, '../..');

/** The project's database. */
export interface HostedProject {
  /** What the CLI printed when it pushed the migrations. */
  readonly printed: string;
  /** Opens a session as PostgREST does. @param user the user id in the token; absent for a token without one */
  openSession(role: HostedRole, user?: string): Promise<HostedSession>;
  /** Runs a statement with all rights. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Inserts an account as the auth service does, and returns its id. */
  addAccount(): Promise<string>;
}

/** Starts a server and applies the migrations. After the file's tests all sessions end and the server stops. */
export async function openHostedProjectForFile(): Promise<HostedProject> {
  const server = await startPostgres();
  const superuser = new Client(server.url);
  const clients = [superuser];
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    server.stop();
  });
  await superuser.connect();
  await superuser.query(HOSTED_SETUP);
  const printed = await pushMigrations(server.url);
  return {
    printed,
    async openSession(role, user) {
      const client = new Client(withLogin(LOGIN, server.url));
      await client.connect();
      clients.push(client);
      return sessionOf(client, { role, ...(user === undefined ? {} : { sub: user }) });
    },
    query: async (sql) => (await superuser.query<Record<string, unknown>>(sql)).rows,
    async addAccount() {
      const id = randomUUID();
      const account = [id, `${id}@weft.test`];
      await superuser.query('insert into auth.users (id, email) values ($1, $2)', account);
      return id;
    },
  };
}

/** Applies the migrations with the CLI, as netlify/README.md says. Returns what the CLI prints. */
async function pushMigrations(url: string): Promise<string> {
  // The first `--yes` is for npx. Without `--remote` the CLI would push to a local stack.
  const args = ['--yes', CLI, 'db', 'push', '--yes', '--remote', withLogin(OWNER, url)];
  const { stdout, stderr } = await promisify(execFile)('npx', args, {
    cwd: PROJECT,
    env: { ...process.env, ...SETTINGS },
  });
  return stdout + stderr;
}

/** The roles that a token may name. */
export type HostedRole = 'anon' | 'authenticated' | 'service_role';

/** A session with the rights of one token. */
export interface HostedSession {
  /** Runs a statement as PostgREST does: in a transaction with the role and claims of a token. */
  query(sql: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

interface Claims {
  readonly role: HostedRole;
  readonly sub?: string;
}

function sessionOf(client: Client, claims: Claims): HostedSession {
  return {
    async query(sql, params = []) {
      await client.query('begin');
      try {
        await client.query(
          `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`,
          [claims.role, JSON.stringify(claims)],
        );
        return (await client.query<Record<string, unknown>>(sql, asTexts(params))).rows;
      } finally {
        // After an error, `commit` rolls back.
        await client.query('commit');
      }
    },
  };
}

/** The address of a database with another user. */
function withLogin(user: string, url: string): string {
  const address = new URL(url);
  address.username = user;
  return address.href;
}
