import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('of auth-js the shop calls nothing that needs what its build leaves out', () => {
  const calls = read('src/remote/auth/client.ts').matchAll(/\bauth\.(\w+)\(/g);
  expect([...calls].map(([, name]) => name)).toEqual([
    'signInWithPassword',
    'signUp',
    'resetPasswordForEmail',
    'dispose',
  ]);
  // Signing out for good is the one thing in auth-js that asks as an administrator.
  const client = read('node_modules/@supabase/auth-js/dist/module/GoTrueClient.js');
  expect(client.match(/this\.admin\.\w+/g)).toEqual(['this.admin.signOut']);
});
