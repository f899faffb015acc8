/**
 * Finds texts in React's markup that a translated page breaks. A browser that translates a page replaces
 * each text node by elements. React goes on with the node that it made: it changes a text that nobody sees,
 * and it throws when it removes that node or puts something before it. Only the text of an element without
 * other children is safe, because React writes it through the element.
 */
import { parseSync } from 'vite';

export interface BareText {
  readonly file: string;
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly advice: string;
}

/** Whatever oxc-parser makes of a piece of source. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/**
 * What a child can put on the page.
 *
 * - `nothing` null, false, a comment
 * - `elements` elements only, and perhaps nothing
 * - `given` the children that a component was given
 * - `fixed` one text that is always there
 * - `text` a text that changes, or is there only sometimes
 * - `texts` several texts
 */
type Kind = 'nothing' | 'elements' | 'given' | 'fixed' | 'text' | 'texts';

/** Components that always draw exactly one element. */
const STEADY = new Set(['Link', 'NavLink']);
/** Props that hold an element, and functions of other files that return one. */
const ELEMENTS = new Set(['arriving', 'note', 'itemOf']);
/** Props of library components that are drawn as children. */
const DRAWN_PROPS = new Set(['fallback']);

const OWN_ELEMENT =
  'give it an element of its own, such as <span>, or make one text of all of them';

/** @param sources the text of each file, by its path */
export function findBareTexts(sources: ReadonlyMap<string, string>): readonly BareText[] {
  const files = [...sources].map(([file, text]) => new FileTexts(file, text));
  for (const file of files) file.read();
  const mixing = new Set(files.flatMap(({ mixingComponents }) => [...mixingComponents]));
  // After all files are read, because a component may mix the children that another file gives it.
  for (const file of files) file.readCallers(mixing);
  return files.flatMap(({ found }) => found);
}

class FileTexts {
  readonly found: BareText[] = [];
  /** Components that draw the children they are given beside other nodes, or without an element. */
  readonly mixingComponents = new Set<string>();
  /** What `#readAlternatives` has reported: it reads a conditional that a component returns twice. */
  readonly #reported = new Set<Node>();
  readonly #file: string;
  readonly #text: string;
  readonly #program: Node;
  /** What each name in this file is declared as. */
  readonly #declarations = new Map<string, Node>();
  /** The components of this file or of others that are given a text as a child. */
  readonly #textChildren: (readonly [component: string, node: Node])[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    const { program, errors } = parseSync(file, text);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
    this.#program = program as unknown as Node; // its types do not name every field alike
  }

  read(): void {
    this.#walk(this.#program, (node) => this.#declare(node));
    this.#walk(this.#program, (node, component) => {
      if (node.type === 'JSXElement') this.#readElement(node, component);
      if (node.type === 'JSXFragment') this.#readFragment(node, component);
      if (node.type === 'JSXAttribute') this.#readAttribute(node);
      if (node.type === 'ConditionalExpression') this.#readAlternatives(this.#elementsOf(node));
    });
    for (const [name, node] of this.#declarations) {
      if (/^[A-Z]/.test(name) && isFunction(node)) this.#readComponent(name, node);
    }
  }

  readCallers(mixing: ReadonlySet<string>): void {
    for (const [component, node] of this.#textChildren) {
      if (!mixing.has(component)) continue;
      this.#report(node, `${component} draws this text beside other nodes: ${OWN_ELEMENT}`);
    }
  }

  #report({ start }: Node, advice: string): void {
    const line = this.#text.slice(0, start).split('\n').length;
    this.found.push({ file: this.#file, line, advice });
  }

  /** Calls `visit` for each node, with the name of the component around it. */
  #walk(node: Node, visit: (node: Node, component: string) => void, component = ''): void {
    visit(node, component);
    const name = declaredName(node);
    const inside = name !== null && /^[A-Z]/.test(name) ? name : component;
    for (const child of childNodes(node)) this.#walk(child, visit, inside);
  }

  #declare(node: Node): void {
    const name = declaredName(node);
    if (name === null) return;
    const value = node.type === 'VariableDeclarator' ? (node['init'] as Node | null) : node;
    if (value) this.#declarations.set(name, unwrapped(value));
  }

  #readElement(element: Node, component: string): void {
    const tag = this.#tagOf(element);
    const children = this.#childrenOf(element);
    const isComponent = /^[A-Z]|\./.test(tag);
    if (isComponent) {
      for (const { node, kind } of children) {
        if (kind === 'fixed' || kind === 'text') this.#textChildren.push([tag, node]);
      }
    }
    for (const { node, kind } of children) {
      if (kind === 'texts') this.#report(node, `several texts side by side: ${OWN_ELEMENT}`);
    }
    if (children.length < 2) return;
    let mayPrecede = false;
    for (const { node, kind } of children) {
      if (kind === 'text') {
        this.#report(node, `this text changes beside other nodes: ${OWN_ELEMENT}`);
      } else if (kind === 'fixed' && mayPrecede) {
        this.#report(node, `something may come or go before this text: ${OWN_ELEMENT}`);
      } else if (kind === 'given') {
        this.mixingComponents.add(component);
      }
      mayPrecede ||= kind === 'given' || (kind === 'elements' && !this.#isSteady(node));
    }
  }

  /** React removes each node of a fragment by itself, so a text in it is never safe. */
  #readFragment(fragment: Node, component: string): void {
    for (const { node, kind } of this.#childrenOf(fragment)) {
      if (kind === 'given') this.mixingComponents.add(component);
      else if (kind !== 'elements') {
        this.#report(node, `this text has no element around it, only a fragment: ${OWN_ELEMENT}`);
      }
    }
  }

  #readAttribute(attribute: Node): void {
    const value = attribute['value'] as Node | null;
    if (!value || !DRAWN_PROPS.has(this.#sourceOf(attribute['name'] as Node))) return;
    const kind = this.#kindOf(value);
    if (kind !== 'elements' && kind !== 'nothing') {
      this.#report(attribute, `this text is drawn without an element: ${OWN_ELEMENT}`);
    }
  }

  /**
   * React makes one of these elements out of another if both have the same tag and no key. It then changes and
   * removes the texts inside, though they are never changed in the source.
   */
  #readAlternatives(elements: readonly Node[]): void {
    const tagOf = (element: Node) => this.#tagOf(element);
    for (const element of elements) {
      const alike = elements.filter(
        (other) => tagOf(other) === tagOf(element) && !this.#hasKey(other),
      );
      if (alike.length < 2 || this.#hasKey(element)) continue;
      this.#walk(element, (node) => {
        if (node.type !== 'JSXElement') return;
        const children = this.#childrenOf(node);
        const fixed = children.find(({ kind }) => kind === 'fixed');
        if (children.length < 2 || !fixed || this.#reported.has(fixed.node)) return;
        this.#reported.add(fixed.node);
        this.#report(fixed.node, `another <${tagOf(element)}> may take this place: ${OWN_ELEMENT}`);
      });
    }
  }

  /** The elements that an expression can be. */
  #elementsOf(wrapped: Node, seen: ReadonlySet<Node> = new Set()): readonly Node[] {
    const node = unwrapped(wrapped);
    if (seen.has(node)) return [];
    const inside = new Set([...seen, node]);
    const all = (...nodes: readonly unknown[]) =>
      (nodes as Node[]).flatMap((other) => this.#elementsOf(other, inside));
    switch (node.type) {
      case 'JSXElement':
        return [node];
      case 'ConditionalExpression':
        return all(node['consequent'], node['alternate']);
      case 'LogicalExpression':
        return all(node['left'], node['right']);
      case 'CallExpression': {
        const declared = this.#declarations.get(this.#sourceOf(node['callee'] as Node));
        return declared && isFunction(declared) ? all(...resultsOf(declared)) : [];
      }
      default:
        return [];
    }
  }

  #tagOf(element: Node): string {
    return this.#sourceOf((element['openingElement'] as Node)['name'] as Node);
  }

  #hasKey(element: Node): boolean {
    const attributes = (element['openingElement'] as Node)['attributes'] as readonly Node[];
    return attributes.some(
      ({ type, name }) => type === 'JSXAttribute' && this.#sourceOf(name as Node) === 'key',
    );
  }

  #readComponent(name: string, component: Node): void {
    this.#readAlternatives(resultsOf(component).flatMap((result) => this.#elementsOf(result)));
    for (const result of resultsOf(component)) {
      const kind = this.#kindOf(result);
      if (kind === 'given') this.mixingComponents.add(name);
      else if (kind !== 'elements' && kind !== 'nothing') {
        this.#report(result, `${name} returns a text without an element: ${OWN_ELEMENT}`);
      }
    }
  }

  /** The children that can put something on the page. */
  #childrenOf(parent: Node): readonly { readonly node: Node; readonly kind: Kind }[] {
    return (parent['children'] as readonly Node[])
      .filter((node) => node.type !== 'JSXText' || !isLayout(String(node['value'])))
      .map((node) => ({ node, kind: this.#kindOf(node) }))
      .filter(({ kind }) => kind !== 'nothing');
  }

  /** Whether a child always puts the same elements on the page. */
  #isSteady(node: Node): boolean {
    if (node.type !== 'JSXElement') return false;
    const tag = this.#tagOf(node);
    return STEADY.has(tag) || /^[a-z]/.test(tag);
  }

  /** What a node puts on the page; an expression that is not understood counts as a text that changes. */
  #kindOf(wrapped: Node, seen: ReadonlySet<Node> = new Set()): Kind {
    const node = unwrapped(wrapped);
    if (seen.has(node)) return 'elements'; // a function that calls itself
    const inside = new Set([...seen, node]);
    const either = (...nodes: readonly unknown[]) =>
      widest((nodes as Node[]).map((other) => this.#kindOf(other, inside)));
    switch (node.type) {
      case 'JSXExpressionContainer':
        return this.#kindOf(node['expression'] as Node, inside);
      case 'JSXEmptyExpression':
        return 'nothing';
      case 'JSXText':
        return 'fixed';
      case 'JSXElement':
      case 'JSXFragment':
        return 'elements';
      case 'Literal':
        if (node['value'] === null || typeof node['value'] === 'boolean') return 'nothing';
        return 'fixed';
      case 'ConditionalExpression':
        return sometimes(either(node['consequent'], node['alternate']));
      case 'LogicalExpression':
        if (node['operator'] === '&&') return sometimes(either(node['right']));
        return sometimes(either(node['left'], node['right']));
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return either(...resultsOf(node));
      case 'Identifier':
        return this.#kindOfName(String(node['name']), inside);
      case 'MemberExpression':
        return this.#sourceOf(node).endsWith('props.children') ? 'given' : 'text';
      case 'CallExpression':
        return this.#kindOfCall(node, inside);
      default:
        return 'text';
    }
  }

  #kindOfName(name: string, inside: ReadonlySet<Node>): Kind {
    if (name === 'undefined') return 'nothing';
    if (name === 'children') return 'given';
    if (ELEMENTS.has(name)) return 'elements';
    const declared = this.#declarations.get(name);
    return declared ? this.#kindOf(declared, inside) : 'text';
  }

  #kindOfCall(call: Node, inside: ReadonlySet<Node>): Kind {
    const callee = call['callee'] as Node;
    const [argument] = call['arguments'] as readonly Node[];
    if (callee.type === 'MemberExpression') {
      const method = this.#sourceOf(callee['property'] as Node);
      if (!/^(map|flatMap)$/.test(method) || !argument) return 'text';
      const kind = this.#kindOf(argument, inside);
      return kind === 'fixed' || kind === 'text' ? 'texts' : kind;
    }
    const name = this.#sourceOf(callee);
    if (ELEMENTS.has(name)) return 'elements';
    const declared = this.#declarations.get(name);
    return declared && isFunction(declared) ? this.#kindOf(declared, inside) : 'text';
  }

  #sourceOf(node: Node): string {
    return this.#text.slice(node.start, Number(node['end']));
  }
}

const KINDS: readonly Kind[] = ['nothing', 'elements', 'given', 'fixed', 'text', 'texts'];

/** What at worst one of these can be. */
function widest(kinds: readonly Kind[]): Kind {
  return KINDS.findLast((kind) => kinds.includes(kind)) ?? 'nothing';
}

/** The kind of a child behind a condition: a fixed text is then there only sometimes. */
function sometimes(kind: Kind): Kind {
  return kind === 'fixed' ? 'text' : kind;
}

/** Whether JSX drops the text between two tags: it holds only blanks and a line break. */
function isLayout(text: string): boolean {
  return text.trim() === '' && text.includes('\n');
}

function isFunction({ type }: Node): boolean {
  return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(type);
}

/** Without parentheses, `?.` and assertions of types, and without `memo` around a component. */
function unwrapped(node: Node): Node {
  if (
    /^(ParenthesizedExpression|ChainExpression|TSAsExpression|TSNonNullExpression)$/.test(node.type)
  ) {
    return unwrapped(node['expression'] as Node);
  }
  if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'memo') {
    return unwrapped((node['arguments'] as readonly Node[])[0]!); // `memo` has an argument
  }
  return node;
}

function declaredName(node: Node): string | null {
  if (!/^(FunctionDeclaration|VariableDeclarator|ClassDeclaration)$/.test(node.type)) return null;
  const id = node['id'] as Node | null;
  return id?.type === 'Identifier' ? String(id['name']) : null;
}

/** What a function returns; nothing of the functions inside it. */
function resultsOf(func: Node): readonly Node[] {
  const body = func['body'] as Node;
  if (body.type !== 'BlockStatement') return [body];
  const results: Node[] = [];
  const collect = (node: Node): void => {
    if (isFunction(node)) return;
    if (node.type === 'ReturnStatement' && node['argument']) results.push(node['argument'] as Node);
    childNodes(node).forEach(collect);
  };
  collect(body);
  return results;
}

function childNodes(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => {
      return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
    });
}
