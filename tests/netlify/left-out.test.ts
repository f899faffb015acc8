/** The build leaves out parts of auth-js that the shop does not use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('the shop calls no method of auth-js that needs a part which the build leaves out', () => {
  const calls = read('src/remote/auth/client.ts').matchAll(/\bauth\.(\w+)\(/g);
  expect([...calls].map(([, name]) => name)).toEqual([
    'signInWithPassword',
    'signUp',
    'resetPasswordForEmail',
    'dispose',
  ]);
  // Only signing out uses the part for administrators, and the shop does not call it.
  const client = read('node_modules/@supabase/auth-js/dist/module/GoTrueClient.js');
  expect(client.match(/this\.admin\.\w+/g)).toEqual(['this.admin.signOut']);
});
