/** A database runs each migration once, so an edit of one that has run never reaches that database. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../supabase/migrations');
/** One line for each migration, as `sha256sum` prints it. */
const LANDED = join(import.meta.dirname, 'landed-migrations.txt');

test('no migration that has landed was edited, and each is on the list', () => {
  const lines = readdirSync(FOLDER).map((name) => {
    const hash = createHash('sha256').update(readFileSync(join(FOLDER, name)));
    return `${hash.digest('hex')}  ${name}`;
  });
  expect(lines.toSorted()).toEqual(readFileSync(LANDED, 'utf8').trim().split('\n').toSorted());
});
