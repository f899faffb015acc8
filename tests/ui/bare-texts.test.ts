/** Texts that a page translated by the browser would break, in the markup of the shop. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const ADVICE = 'give it an element of its own, such as <span>, or make one text of all of them';

test('no text of the shop comes, goes or changes beside another node', () => {
  const files = globSync('src/**/*.tsx', { cwd: PROJECT }).sort();
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    linesWithBareTexts(readFileSync(join(PROJECT, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found, ADVICE).toEqual([]);
});

test.each([
  ['a count before a word', '<p>{count} products</p>'],
  ['a text before an element that goes', '<p>{words}{isOpen && <a>Open</a>}</p>'],
  ['a word behind an element that comes', '<p>{isOpen && <a>Open</a>} now</p>'],
  ['a word behind a component that may draw nothing', '<p><Note /> now</p>'],
  ['a text in a fragment', '<p>{isOpen && <>Open</>}</p>'],
])('%s is found', (_, markup) => {
  expect(linesWithBareTexts(`function A() {\n  return ${markup};\n}`)).toEqual([2]);
});

test.each([
  ['a text alone in its element', '<p>{isOpen ? words : null}</p>'],
  ['words around elements that stay', '<p>See <Link to="/">all</Link> of <b>them</b>.</p>'],
  ['words before an element that comes', '<a>Cart{count > 0 && <span>{count}</span>}</a>'],
  ['elements of a list', '<ul><b />{names.map((name) => <li key={name}>{name}</li>)}</ul>'],
])('%s is fine', (_, markup) => {
  expect(linesWithBareTexts(`function A() { return ${markup}; }`)).toEqual([]);
});

/** Whatever oxc-parser makes of a piece of source. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** What a child puts on the page: elements, perhaps none; a text that is always there; a text that changes or goes. */
type Kind = 'elements' | 'fixed' | 'changing';

/** Components that always draw exactly one element. */
const STEADY = new Set(['Link', 'NavLink']);
/** Names of props that hold elements, and of functions that return one. */
const ELEMENTS = new Set(['children', 'itemOf', 'button']);

/**
 * The lines of texts that stand beside other nodes and change, come or go, or before which something comes or goes.
 *
 * A browser that translates a page replaces each text node by elements. React goes on with the node that it made: it
 * changes a text that nobody sees, and it throws when it removes that node or puts something before it. Only the text
 * of an element without other children is safe, because React writes it through the element.
 */
function linesWithBareTexts(source: string): number[] {
  const nodes = nodesIn(parseSync('a.tsx', source).program as unknown as Node); // its types name fields in other ways

  function kindOf(node: Node): Kind {
    const ofAll = (...others: readonly unknown[]) =>
      (others as Node[]).every((other) => kindOf(other) === 'elements') ? 'elements' : 'changing';
    switch (node.type) {
      case 'JSXElement':
      case 'JSXFragment':
        return 'elements';
      case 'JSXText':
        return 'fixed';
      case 'Literal':
        return node['value'] === null || typeof node['value'] === 'boolean' ? 'elements' : 'fixed';
      case 'JSXExpressionContainer':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return kindOf(node['expression'] as Node);
      case 'ConditionalExpression':
        return ofAll(node['consequent'], node['alternate']);
      case 'LogicalExpression':
        return node['operator'] === '&&'
          ? ofAll(node['right'])
          : ofAll(node['left'], node['right']);
      case 'ArrowFunctionExpression':
        return kindOf(node['body'] as Node);
      case 'BlockStatement':
        return ofAll(...(node['body'] as readonly Node[]).slice(-1));
      case 'ReturnStatement':
        return ofAll(node['argument']);
      case 'CallExpression': {
        const callee = node['callee'] as Node;
        const { name } = (callee['property'] ?? callee) as Node;
        return name === 'map' ? ofAll((node['arguments'] as Node[])[0]) : kindOf(callee);
      }
      case 'Identifier':
        return ELEMENTS.has(String(node['name'])) ? 'elements' : 'changing';
      default:
        return 'changing';
    }
  }

  return nodes.flatMap((parent) => {
    const children = childrenOf(parent);
    const isFragment = parent.type === 'JSXFragment';
    if (children.length < 2 && !isFragment) return [];
    // React removes each node of a fragment by itself.
    let mayMove = isFragment;
    const bare = children.filter((child) => {
      const kind = kindOf(child);
      const isBare = kind === 'changing' || (kind === 'fixed' && mayMove);
      mayMove ||= kind === 'elements' && !isSteady(child);
      return isBare;
    });
    return bare.map(({ start }) => source.slice(0, start).split('\n').length);
  });
}

function nodesIn(node: Node): Node[] {
  return [node, ...childNodes(node).flatMap(nodesIn)];
}

function childNodes(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => {
      return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
    });
}

/** The children that can put something on the page; JSX drops blanks with a line break. */
function childrenOf({ type, children }: Node): readonly Node[] {
  if (type !== 'JSXElement' && type !== 'JSXFragment') return [];
  return (children as Node[]).filter(({ type, value, expression }) => {
    if (type !== 'JSXText') return (expression as Node | undefined)?.type !== 'JSXEmptyExpression';
    return String(value).trim() !== '' || !String(value).includes('\n');
  });
}

/** Whether a child always puts the same element on the page. */
function isSteady({ type, openingElement }: Node): boolean {
  if (type !== 'JSXElement') return false;
  const name = String(((openingElement as Node)['name'] as Node)['name']);
  return STEADY.has(name) || /^[a-z]/.test(name);
}
