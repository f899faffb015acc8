/** `journeys.md` lists the tests that must stay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJourneys } from './journeys.ts';

const journeys = readJourneys();

test('each journey of the list is the title of a test', () => {
  const missing = journeys.filter(({ titles, file }) => {
    const source = readFileSync(join(import.meta.dirname, `${file}.test.ts`), 'utf8');
    return !titles.every((title) => source.includes(title));
  });
  expect(missing).toEqual([]);
});

test('about forty journeys show in a browser that the shop works', () => {
  const chosen = journeys.filter(({ isInTest }) => isInTest);
  expect(chosen.length).toBeGreaterThan(35);
  expect(chosen.length).toBeLessThan(50);
  // The tests in `netlify/` open no browser.
  expect(chosen.map(({ file }) => file.split('/')[0])).not.toContain('netlify');
});
