/** How the doctor reaches the database: which databases get the owner's password, and what it says of the others. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { checkDatabase } from '../../netlify/doctor/database.ts';
import { fault, type Finding } from '../../netlify/doctor/finding.ts';
import { deploymentOf } from './deployment.ts';
import { CERTIFICATE, type Message, openFakeDatabase } from './fake-database.ts';

const PASSWORD = 'owners-password';
/** How long the doctor waits for an answer. */
const TIMEOUT_MS = 15_000;

const folder = mkdtempSync(join(tmpdir(), 'doctor-database-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, 'authority.crt');
  writeFileSync(file, text);
  return file;
}

const findingsOf = async (environment: Readonly<Record<string, string>>) =>
  await checkDatabase(deploymentOf(environment));

/**
 * What the doctor finds at a fake database, and says to it. The address 0.0.0.0 leads to this machine
 * without being a loopback address.
 */
async function visit(
  { hasTls }: { readonly hasTls: boolean },
  { host = '0.0.0.0', query = '', ca = '' } = {},
): Promise<{ findings: readonly Finding[]; messages: readonly Message[] }> {
  const database = await openFakeDatabase({ hasTls, password: PASSWORD });
  onTestFinished(() => database.close());
  const findings = await findingsOf({
    SUPABASE_DB_URL: `postgres://postgres:${PASSWORD}@${host}:${database.port}/postgres${query}`,
    ...(ca === '' ? {} : { SUPABASE_DB_CA: ca }),
  });
  return { findings, messages: database.messages };
}

test.each(['', '?sslmode=disable', '?sslmode=no-verify', '?ssl=0', '?host=127.0.0.1'])(
  'the doctor gives no password to a database elsewhere that takes no TLS, and says so (address ending in "%s")',
  async (query) => {
    const { findings, messages } = await visit({ hasTls: false }, { query });
    expect(messages).toEqual(['asks for TLS']);
    expect(findings).toMatchObject([{ subject: 'SUPABASE_DB_URL', state: 'fault' }]);
    expect(findings[0]?.words).toContain('takes no TLS, so the password was not sent');
  },
);

test.each(['', '?sslmode=require', '?sslmode=no-verify'])(
  'the doctor gives no password to a database whose certificate nobody vouches for, and says what to do (address ending in "%s")',
  async (query) => {
    const { findings, messages } = await visit({ hasTls: true }, { query });
    expect(messages).toEqual(['asks for TLS']);
    expect(findings).toMatchObject([{ subject: 'SUPABASE_DB_CA', state: 'fault' }]);
    // Node's code for such a certificate, and the page of Supabase that offers its authority's certificate.
    expect(findings[0]?.words).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(findings[0]?.words).toContain('SSL Configuration');
  },
);

test('the doctor gives its password to a database whose certificate SUPABASE_DB_CA vouches for', async () => {
  const { findings, messages } = await visit({ hasTls: true }, { ca: fileWith(CERTIFICATE) });
  expect(messages).toEqual(['asks for TLS', 'begins a session', 'sends its password']);
  // The fake database refuses every password.
  expect(findings).toMatchObject([{ subject: 'SUPABASE_DB_URL', state: 'fault' }]);
});

test('a database on this machine itself is asked without TLS', async () => {
  const { messages } = await visit({ hasTls: false }, { host: '127.0.0.1' });
  expect(messages).toEqual(['begins a session', 'sends its password']);
});

test.each(['then silent', 'then broken'] as const)(
  'the doctor says so when a database takes the password and is %s',
  async (login) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const database = await openFakeDatabase({ hasTls: false, password: PASSWORD, login });
    onTestFinished(() => {
      vi.useRealTimers();
      return database.close();
    });
    const findings = findingsOf({
      SUPABASE_DB_URL: `postgres://postgres:${PASSWORD}@127.0.0.1:${database.port}/postgres`,
    });
    await vi.waitUntil(() => database.messages.includes('sends a query'));
    if (login === 'then silent') vi.advanceTimersByTime(TIMEOUT_MS);
    const words = 'The database does not answer there, or refuses the password.';
    expect(await findings).toEqual([fault('SUPABASE_DB_URL', words)]);
  },
);

test('the doctor names SUPABASE_DB_CA when its file is missing or no certificate', async () => {
  for (const ca of [join(folder, 'missing.crt'), fileWith('not a certificate')]) {
    const { findings, messages } = await visit({ hasTls: true }, { ca });
    expect(messages).toEqual([]);
    expect(findings).toMatchObject([{ subject: 'SUPABASE_DB_CA', state: 'fault' }]);
  }
});

test.each([
  'postgres://postgres:pass#word@db.abcdefgh.supabase.co:5432/postgres',
  'postgres://postgres:12#34@db.abcdefgh.supabase.co:5432/postgres',
  'postgres://postgres:12/34@db.abcdefgh.supabase.co:5432/postgres',
  'postgres://postgres:100%25%@db.abcdefgh.supabase.co:5432/postgres',
  'https://abcdefgh.supabase.co',
  'db.abcdefgh.supabase.co',
])('the doctor names SUPABASE_DB_URL when it cannot be read: %s', async (url) => {
  const findings = await findingsOf({ SUPABASE_DB_URL: url });
  expect(findings).toMatchObject([{ subject: 'SUPABASE_DB_URL', state: 'fault' }]);
  // The advice: a # in the password must be written as %23.
  expect(findings[0]?.words).toMatch(/is no address of a database.*%23/);
});
