/** Random schedules of taps, cuts and restarts in every engine: the page and the server show what all taps have done. */
import { describe, expect, test } from 'vitest';
import { type ChangeAction, foldChanges, NOTHING } from '../../src/domain/change.ts';
import { quickOrFull } from '../full-run.ts';
import { SEED, seeded } from '../random.ts';
import { callOf } from './engine.ts';
import { CHROMIUM, FIREFOX, WEAK_PHONE } from './puppeteer.ts';
import {
  newAccount,
  openShopForFile,
  payingShop,
  restart,
  serverCart,
  serverFavourites,
  visitBeforeEach,
  visitor,
} from './visit.ts';
import { WEBKIT_WITH_PROFILE } from './webkit-with-profile.ts';

/** How many schedules run in each engine; their seeds are SEED and the following numbers. */
const SCHEDULES = quickOrFull(3, 50);
/** How many run on the weak phone, where a schedule takes four times as long. */
const WEAK_SCHEDULES = quickOrFull(3, 10);
/** Taps, cuts and restarts of one schedule. */
const STEPS = 8;

const STOCK_CODES = { 1: 'A', 2: 'B', 3: 'C' } as const;
const NAMES = { 1: 'Linen shirt, size M', 2: 'Sock', 3: 'Scarf' } as const;
const PRODUCTS = [1, 2, 3] as const;
type ProductId = (typeof PRODUCTS)[number];

openShopForFile();

describe.each([CHROMIUM, WEAK_PHONE, FIREFOX, WEBKIT_WITH_PROFILE])('in $name', (engine) => {
  visitBeforeEach(engine);
  const count = engine.line ? WEAK_SCHEDULES : SCHEDULES;

  test(
    `${count} random schedules of taps, cuts and restarts: nothing is lost, nothing is doubled`,
    { timeout: 180_000 * count },
    async () => {
      for (let seed = SEED; seed < SEED + count; seed += 1) {
        console.log(`${engine.name}: SEED=${seed}`);
        await runSchedule(seeded(seed));
      }
    },
  );
});

/** What the shopper of this schedule has tapped so far. */
let taps: ChangeAction[];

/** A new shopper logs in, takes `STEPS` random steps and logs out. */
async function runSchedule(random: () => number): Promise<void> {
  const email = await newAccount();
  taps = [];
  await visitor.logIn(email);
  await visitor.waitForProducts(3);
  await visitor.waitForWorker();
  for (let step = 0; step < STEPS; step += 1) await takeStep(random);

  payingShop.line.up();
  await announceOnline();
  await expect.poll(() => countApplied(email), { timeout: 90_000 }).toBe(taps.length);
  const { cart, favourites } = expected();
  const quantities = cart.map(({ productId, quantity }) => [codeOf(productId), quantity]);
  expect(await serverCart(email)).toEqual(Object.fromEntries(quantities));
  expect(await serverFavourites(email)).toEqual(favourites.map(codeOf).sort());
  await visitor.goto('/');
  await visitor.waitForProducts(3);
  await waitUntilShown();
  await visitor.logOut();
}

/** What all taps have made of an empty cart and no favourites. */
const expected = () => foldChanges(NOTHING, taps);

const codeOf = (id: number) => STOCK_CODES[id as ProductId];

/** How many changes of the shopper the server has applied, each once. */
async function countApplied(email: string): Promise<number> {
  const { query } = payingShop.shop.backend;
  const rows = await query(
    'select from public.applied_changes a join auth.users u on u.id = a.user_id where u.email = $1',
    [email],
  );
  return rows.length;
}

/** Waits until the page shows what all taps have done. It shows what is stored on the device. */
async function waitUntilShown(): Promise<void> {
  const { cart, favourites } = expected();
  await visitor.waitForCartCount(cart.reduce((sum, { quantity }) => sum + quantity, 0));
  if ((await pathname()) !== '/') return;
  const names = PRODUCTS.filter((id) => favourites.includes(id)).map((id) => NAMES[id]);
  await expect.poll(shownFavourites).toEqual(names);
}

const pathname = () => visitor.tab.evaluate<string>('location.pathname');

/** The names of the products whose heart is pressed, in the order of the catalogue. */
const shownFavourites = () =>
  visitor.tab.evaluate<string[]>(
    `[...document.querySelectorAll('[aria-label^="Favourite: "][aria-pressed="true"]')]
      .map((heart) => heart.ariaLabel.slice('Favourite: '.length))`,
  );

/** What can happen in a step. A kind that is listed several times is that much more likely. */
const STEP_KINDS = [
  'restart',
  'down',
  'up',
  'cut',
  'add',
  'add',
  'add',
  'heart',
  'heart',
  'more',
  'remove',
] as const;

type TapKind = 'add' | 'heart' | 'more' | 'remove';

/** What is pressed on which page, and what that must change. */
interface Tap {
  readonly path: string;
  readonly button: string;
  readonly action: ChangeAction;
}

async function takeStep(random: () => number): Promise<void> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!; // never empty
  const kind = pick(STEP_KINDS);
  const productId = pick(PRODUCTS);
  const bytes = Math.floor(random() * 1500);
  switch (kind) {
    case 'restart':
      await restart();
      await visitor.goto('/');
      await waitUntilShown();
      break;
    case 'down':
      payingShop.line.down();
      break;
    case 'up':
      payingShop.line.up();
      await announceOnline();
      break;
    case 'cut':
      // Every connection ends once the shop has sent `bytes` more.
      payingShop.line.up();
      payingShop.line.cutAfter(bytes);
      break;
    default: {
      // The buttons `more` and `remove` stand on a line of the cart.
      const isInCart = expected().cart.some((line) => line.productId === productId);
      await tap(kind === 'heart' || isInCart ? kind : 'add', productId);
    }
  }
}

/** Goes to the page with the button, if another page is open, and presses it there. */
async function tap(kind: TapKind, productId: ProductId): Promise<void> {
  const { path, button, action } = tapOf(kind, productId);
  if ((await pathname()) !== path) await visitor.goto(path);
  const find = () => visitor.tab.element(callOf(findUncovered, `main ${button}`));
  await expect.poll(find, { message: button }).not.toBeNull();
  const press = async () => (await find())?.click();
  // The first press fails if React replaces the button just before it.
  await press().catch(press);
  taps.push(action);
  await waitUntilShown();
}

function tapOf(kind: TapKind, productId: ProductId): Tap {
  const name = NAMES[productId];
  const line = `li[aria-label="${name}"]`;
  const addOne: ChangeAction = { kind: 'cart.add', args: { productId, by: 1 } };
  switch (kind) {
    case 'add':
      return { path: '/', button: `[aria-label="Add to Cart: ${name}"]`, action: addOne };
    case 'heart': {
      const isFavourite = expected().favourites.includes(productId);
      const action = isFavourite ? 'favourite.remove' : 'favourite.add';
      const button = `[aria-label="Favourite: ${name}"]`;
      return { path: '/', button, action: { kind: action, args: { productId } } };
    }
    case 'more':
      return { path: '/cart', button: `${line} [aria-label="One more"]`, action: addOne };
    case 'remove': {
      const action: ChangeAction = { kind: 'cart.remove', args: { productId } };
      return { path: '/cart', button: `${line} [data-remove]`, action };
    }
  }
}

/** Tells the page that the network is back. */
async function announceOnline(): Promise<void> {
  await visitor.tab.evaluate(callOf(() => dispatchEvent(new Event('online'))));
}

/** Runs in the page: scrolls to an element and returns it; null if there is none, or a notice covers it. */
function findUncovered(selector: string): Element | null {
  const element = document.querySelector(selector);
  if (!element) return null;
  element.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const topmost = document.elementFromPoint(x + width / 2, y + height / 2);
  return element.contains(topmost) ? element : null;
}
