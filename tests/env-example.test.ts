/** `.env.example` names every variable that an operator may set, and no other. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Set by Vite, by the build or by the project's own scripts. */
const OWN = [
  'DEV',
  'MODE',
  'VITE_FOOTER_LINKS',
  'VITE_HAS_LIVE_KEYS',
  'VITE_PAYPAL_ENVIRONMENT',
  'VITE_RESIZED_PICTURES',
  'VITE_SHOP_CARE',
  'VITE_SHOP_CONTACT',
  'VITE_SHOP_DELIVERY',
  'VITE_SHOP_RETURNS',
  'VITE_SHOP_SIZE_GUIDE',
  'VITE_SITE_URL',
  'VITE_STAFF_ROLE',
  'WEFT_SECOND_ORIGIN',
];
/** Read by our scripts, set by the machine. */
const OF_THE_MACHINE = ['DEBUG', 'DO_NOT_TRACK'];

/** How code reads variables: calls such as `required(read, 'NAME', …)`, the environment, lists of the page's settings. */
const READS = [
  /\b(?:read|required|optional|secretIn|addressIn|noteIn|env)\w*(?:<\w+>)?\((?:\w+,\s*)?'([A-Z][A-Z0-9_]+)'/g,
  /\benv(?:\.|\[')([A-Z][A-Z0-9_]+)/g,
  /'(VITE_[A-Z0-9_]+)'/g,
];

test('each variable that is read is explained, and each that is explained is read', () => {
  const sources = globSync(
    ['vite.config.ts', '{src,sw}/**/*.{ts,tsx}', '{netlify,supabase/local}/**/*.ts'],
    { cwd: ROOT },
  ).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const read = new Set(
    sources.flatMap((text) =>
      READS.flatMap((form) => [...text.matchAll(form)].map(([, name]) => name!)),
    ),
  );
  for (const name of [...OWN, ...OF_THE_MACHINE]) read.delete(name);
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const explained = [...example.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  expect([...read].toSorted()).toEqual(explained.toSorted());
});
