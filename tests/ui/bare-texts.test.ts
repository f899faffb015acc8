/** Texts that a page translated by the browser would break, in the markup of the shop. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBareTexts } from './bare-texts.ts';

const PROJECT = join(import.meta.dirname, '../..');

test('no text of the shop comes, goes or changes beside another node', () => {
  const files = globSync('src/**/*.tsx', { cwd: PROJECT }).sort();
  const sources = files.map((file) => [file, readFileSync(join(PROJECT, file), 'utf8')] as const);
  expect(files.length).toBeGreaterThan(50);
  const found = findBareTexts(new Map(sources));
  expect(found.map(({ file, line, advice }) => `${file}:${line}: ${advice}`)).toEqual([]);
});

/** The lines at which one file of this source has such texts. */
function linesOf(source: string): readonly number[] {
  return findBareTexts(new Map([['a.tsx', source]])).map(({ line }) => line);
}

test.each([
  ['a count before a word', '<p>{count} products</p>'],
  ['a text that comes before an element', "<p>{isLate && 'Late'}<b /></p>"],
  ['a text before an element that goes', '<p>{words}{isOpen && <a>Open</a>}</p>'],
  ['a word behind an element that comes', '<p>{isOpen && <a>Open</a>} now</p>'],
  ['a word behind a component that may draw nothing', '<p><Note /> now</p>'],
  [
    'a blank in an element that another one replaces',
    '<div>{isOpen ? <p><b /> <i /></p> : <p>none</p>}</div>',
  ],
  ['a text in a fragment', '<p>{isOpen && <>Open</>}</p>'],
  ['a blank in a fragment', "<p>{isOpen && <>{' '}<a>Open</a></>}</p>"],
  ['a list of texts', '<p>{names.map((name) => name)}</p>'],
  ['a text in place of a screen that loads', '<Suspense fallback="Reading"><Screen /></Suspense>'],
])('%s is found', (_, markup) => {
  expect(linesOf(`function A() {\n  return ${markup};\n}`)).toEqual([2]);
});

test('a component that returns a text is found, and a text that a component puts beside its own', () => {
  expect(linesOf('function Lines({ lines }) {\n  return use(lines);\n}')).toEqual([2]);
  const box = 'function Box({ children }) { return <div><b /> {children}</div>; }\n';
  expect(linesOf(`${box}function A() { return <Box>words</Box>; }`)).toEqual([2]);
  expect(linesOf(`${box}function A() { return <Box><p>words</p></Box>; }`)).toEqual([]);
});

test.each([
  ['a text alone in its element', '<p>{isOpen ? words : null}</p>'],
  ['one text made of several', '<p>{`${count} products`}</p>'],
  ['words around elements that stay', '<p>See <Link to="/">all</Link> of <b>them</b>.</p>'],
  [
    'a blank in one of two elements with different tags',
    '<div>{isOpen ? <p><b /> <i /></p> : <b />}</div>',
  ],
  ['words before an element that comes', '<a>Cart{count > 0 && <span>{count}</span>}</a>'],
  ['elements of a list', '<ul>{names.map((name) => <li key={name}>{name}</li>)}</ul>'],
  ['a text for a component', '<Title>{words}</Title>'],
])('%s is fine', (_, markup) => {
  expect(linesOf(`function A() { return ${markup}; }`)).toEqual([]);
});
