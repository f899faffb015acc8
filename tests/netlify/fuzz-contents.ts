/** Contents of requests as pages send them, and spoilers: changes after which they must be rejected. */
import { readProductCsv } from '../../src/csv/products.ts';
import type { Chance } from '../model/kit/chance.ts';
import { HOME } from '../supabase/buyer.ts';
import { packed, textField, wrongGzip } from './fuzz-gzip.ts';
import { anyField, anyText, anyValue } from './fuzz-values.ts';

/** What is in the shop. All its payments are settled, so that reading them changes nothing. */
export interface ShopFacts {
  readonly ada: { readonly id: string; readonly token: string };
  readonly eve: { readonly id: string; readonly token: string };
  /** The id of a product, and its price in cents. */
  readonly product: number;
  readonly unitMinor: number;
  /** Ids of Ada's paid orders: the first was paid by card, the second with PayPal. */
  readonly orders: readonly string[];
  /** Stripe's id of the first order's payment page. */
  readonly session: string;
  /** PayPal's id of the second order. */
  readonly payPalOrder: string;
  readonly evesOrder: string;
  readonly evesPayPalOrder: string;
  /** An import of Ada's in two parts, of which the shop has the first. */
  readonly importId: string;
  /** The last webhook of each provider. */
  readonly events: { readonly stripe: string; readonly paypal: string };
  readonly stripeSecret: string;
  /** Values of the header `authorization` that no function accepts. */
  readonly badTokens: readonly string[];
}

/** The fields of a request's JSON. */
export type Content = Record<string, unknown>;
/** Makes one thing in a request wrong. */
type Spoiler = (content: Content, chance: Chance, facts: ShopFacts) => void;

const WRONG_QUANTITIES = [0, -1, -0.5, 0.5, 1.5, 100, 1e9, 1e300, '1', '1e9', [1], {}, true, null];
const WRONG_PRODUCTS = [0, -1, 1.5, '1', null, [], 1e300, 2 ** 53, 2 ** 53 - 1, 987_654_321];
const WRONG_TOTALS = [-1, 0.5, '25900', 1e300, 2 ** 53, [], {}, true];
/** Neither the number of a part nor the number of parts. */
const WRONG_PARTS = [-1, 0.5, 10_001, 1e300, '0', [], {}, true];
const NOT_TEXTS = [7, true, [], {}, ['x']];
const WRONG_ADDRESS_FIELDS = {
  full_name: ['', ' \u0000 ', 5, null, [], 'x'.repeat(101)],
  address_line1: ['', '\u200b', 5, null, {}, 'x'.repeat(50_000)],
  city: ['', '\n', 5, true, ['Chicago'], 'x'.repeat(101)],
  state: ['', 'ZZ', 5, '__proto__', 'constructor', {}],
  postal_code: ['', '6061', 'ABCDE', 60_614, '60614\u0000x', []],
  country: ['FR', 'us', 'USA', 1, {}, '__proto__'],
} as const;

/** A page's request to pay. @param linesField the name of the field for the lines */
export function orderContent(linesField: string, chance: Chance, facts: ShopFacts): Content {
  const { ada, product: product_id, unitMinor: unit_minor } = facts;
  const quantity = chance.between(1, 5);
  return {
    [linesField]: [{ product_id, quantity, ...(chance.happens(0.5) && { unit_minor }) }],
    shippingAddress: { ...HOME },
    userId: ada.id,
    ...(chance.happens(0.5) && { orderId: chance.uuid() }),
    ...(chance.happens(0.5) && { shownTotal: quantity * unit_minor }),
  };
}

/** Each of these alone makes a request to pay wrong. */
export function orderSpoilers(linesField: string): readonly Spoiler[] {
  const line = (facts: ShopFacts) => ({ product_id: facts.product, quantity: 1 });
  // Only the database can reject these. The list below has them twice, so that they are drawn more often.
  const rejectedByDatabase: Spoiler[] = [
    (content, chance) => void (content['shownTotal'] = chance.between(1_000_000, 9_999_999)),
    (content, _, { evesOrder }) => void (content['orderId'] = evesOrder),
    (content, chance, { orders }) => void (content['orderId'] = chance.pick(orders)),
    (content, chance, facts) => {
      content[linesField] = [
        line(facts),
        { ...line(facts), product_id: chance.pick([5e5, 6e6, 7e12]) },
      ];
    },
    (content, _, facts) => {
      content[linesField] = [60, 60].map((quantity) => ({ ...line(facts), quantity }));
    },
  ];
  return [
    ...rejectedByDatabase,
    ...rejectedByDatabase,
    (content, chance) => {
      delete content[chance.pick([linesField, 'shippingAddress', 'userId'])];
    },
    (content, chance, { ada, eve }) => {
      const id = chance.pick<unknown>([null, 7, [ada.id], { id: ada.id }, `${ada.id} `, eve.id]);
      content['userId'] = chance.happens(0.3) ? anyText(chance) : id;
    },
    (content, chance, facts) => {
      const many = Array.from({ length: 101 }, () => line(facts));
      const wrong = [null, [], {}, '[]', { length: 1, 0: line(facts) }, many, [many], [null]];
      content[linesField] = chance.happens(0.5) ? chance.pick<unknown>(wrong) : anyValue(chance);
    },
    (content, chance, facts) => {
      content[linesField] = [{ ...line(facts), quantity: chance.pick(WRONG_QUANTITIES) }];
    },
    (content, chance, facts) => {
      content[linesField] = [
        line(facts),
        { ...line(facts), product_id: chance.pick(WRONG_PRODUCTS) },
      ];
    },
    (content, chance) => {
      const [name, wrong] = chance.pick(Object.entries(WRONG_ADDRESS_FIELDS));
      content['shippingAddress'] = { ...HOME, [name]: chance.pick<unknown>(wrong) };
    },
    (content, chance) => {
      content['shippingAddress'] = chance.pick<unknown>([null, [], 'text', 7, [HOME]]);
    },
    (content, chance, { orders: [id = ''] }) => {
      const wrong = ['', '1', 7, true, {}, [id], `${id} `, `${id}\u0000`, '../orders'];
      content['orderId'] = chance.pick<unknown>(wrong);
    },
    (content, chance) => void (content['shownTotal'] = chance.pick<unknown>(WRONG_TOTALS)),
    (content, chance) => {
      content['again'] = chance.pick<unknown>(['true', '', 0, 1, null, [], [true], {}]);
    },
  ];
}

/** An upload that the page might send. */
export function uploadContent(chance: Chance): Content {
  const isPart = chance.happens(0.5);
  return {
    ...textField('SKC,Retail Price\nFUZZ-1,5\nFUZZ-2,6\n', chance),
    fileName: anyText(chance),
    blankCellsClear: chance.happens(0.5),
    ...(isPart && { importId: chance.uuid(), part: 0, totalParts: 2 }),
  };
}

/** Each of these alone makes an upload wrong. */
export const UPLOAD_SPOILERS: readonly Spoiler[] = [
  (content, chance) => putText(content, textField(worthlessCsv(chance), chance)),
  (content) => putText(content, {}),
  (content, chance) => putText(content, { csv: chance.pick<unknown>([7, [], {}, ['SKC']]) }),
  (content, chance) => putText(content, { csvGzip: wrongGzip(chance) }),
  (content) => putText(content, { csv: 'SKC\n', csvGzip: packed('SKC\n') }),
  (content, chance) => {
    const malformedIds = ['', 'x', 7, {}, [], `${chance.uuid()}x`, `${chance.uuid()}\n`];
    content['importId'] = chance.pick<unknown>(malformedIds);
  },
  (content, chance) => void (content['part'] = chance.pick<unknown>(WRONG_PARTS)),
  (content, chance) => void (content['totalParts'] = chance.pick<unknown>([...WRONG_PARTS, 0])),
  (content, chance) => void (content['fileName'] = chance.pick<unknown>(NOT_TEXTS)),
  (content, chance) => void (content['blankCellsClear'] = chance.pick<unknown>(['', 'yes', 1, {}])),
  // A part that was sent before with other content.
  (content, _, { importId }) => void Object.assign(content, { importId, part: 0, totalParts: 2 }),
];

/** Applies one or two of the spoilers to the content, and returns it. */
export function spoil(
  content: Content,
  spoilers: readonly Spoiler[],
  chance: Chance,
  facts: ShopFacts,
): Content {
  const times = chance.happens(0.8) ? 1 : 2;
  for (let i = 0; i < times; i += 1) chance.pick(spoilers)(content, chance, facts);
  return content;
}

/** Adds up to three fields that no function reads, and sometimes one to an inner object or the first of a list. */
export function withExtraFields(content: Content, chance: Chance): Content {
  const fields = Object.entries(content).map(([name, value]): [string, unknown] => {
    const [first] = Array.isArray(value) ? value : [value];
    const isObject = typeof first === 'object' && first !== null && !Array.isArray(first);
    if (!isObject || chance.happens(0.7)) return [name, value];
    const extended = Object.fromEntries([...Object.entries(first), extraField(chance, first)]);
    return [name, Array.isArray(value) ? [extended, ...value.slice(1)] : extended];
  });
  const count = chance.between(0, 3);
  const extra = Array.from({ length: count }, () => extraField(chance, content));
  return Object.fromEntries([...fields, ...extra]);
}

/** A field whose name the content does not have. */
function extraField(chance: Chance, content: object): [string, unknown] {
  const [name, value] = anyField(chance);
  return Object.hasOwn(content, name) ? [`${name}?`, value] : [name, value];
}

/** Replaces the text of an upload, packed or not. */
function putText(content: Content, text: Content): void {
  delete content['csv'];
  delete content['csvGzip'];
  Object.assign(content, text);
}

/** A CSV without a row that could be stored. */
function worthlessCsv(chance: Chance): string {
  const pieces = ['SKC', 'Size', ',', ';', '\t', '"', '\n', '\r\n', 'Retail Price', '', 'sep=;\n'];
  const length = chance.between(0, 40);
  const draw = () => (chance.happens(0.7) ? chance.pick(pieces) : anyText(chance));
  const csv = Array.from({ length }, draw).join('');
  const read = readProductCsv(csv, { blankCellsClear: false });
  return read.ok && read.products.length > 0 ? 'SKC\n' : csv;
}
