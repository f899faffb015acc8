/**
 * The build leaves out the parts of auth-js for administrators, passkeys and wallets
 * (netlify/build/left-out.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('the shop calls no method of auth-js that needs a part which the build leaves out', () => {
  // None of these signs in by a passkey or a wallet.
  const calls = read('src/remote/auth/client.ts').matchAll(/\bauth\.(\w+)\(/g);
  expect([...calls].map(([, name]) => name)).toEqual([
    'signInWithPassword',
    'signUp',
    'resend',
    'resetPasswordForEmail',
    'dispose',
  ]);
  // The part for administrators is used by `signOut` alone, which is not among the methods above.
  const client = read('node_modules/@supabase/auth-js/dist/module/GoTrueClient.js');
  expect(client.match(/this\.admin\.\w+/g)).toEqual(['this.admin.signOut']);
});
