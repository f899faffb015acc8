/**
 * What the files of journeys share: a shop for each file; and for each test an engine with an empty profile,
 * and a new shopper.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openPayingShop, type PayingShop } from '../browser/paying-shop.ts';
import { cartOf, favouritesOf, ordersOf } from '../browser/server-rows.ts';
import { PASSWORD, SUCCESS } from '../browser/shopper.ts';
import { stock, type StockRow } from '../supabase/stock.ts';
import type { Engine, EngineBrowser, StorageAccess } from './engine.ts';
import { Visitor } from './visitor.ts';

const GARMENTS = [
  { SKC: 'A', Size: 'M', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
  { SKC: 'B', 'Category 1': 'Sock', 'Retail Price': 9 },
  { SKC: 'C', 'Category 1': 'Scarf' },
];

export let payingShop: PayingShop;
/** The folder of this test's profile. */
export let profile: string;
export let visitor: Visitor;
/** The email address of this test's shopper, who has an account and is not logged in. */
export let email: string;

let browser: EngineBrowser;
/** The browsers of other phones in this test, and the folders of their profiles. */
let otherPhones: { readonly phone: EngineBrowser; readonly folder: string }[] = [];
/** The stock codes of what the shop sells at the beginning of each test. */
let sold: readonly string[];
let openedEngine: Engine;
let storageAccess: StorageAccess;
let accountCount = 0;

/** Opens a shop for all tests of this file. @param siteFolder the built site */
export function openShopForFile(
  siteFolder?: string,
  products: readonly StockRow[] = GARMENTS,
): void {
  beforeAll(async () => {
    payingShop = await openPayingShop(siteFolder);
    sold = products.map(({ SKC }) => SKC);
    await stock(payingShop.shop.backend, products);
  });
  afterAll(() => payingShop.close());
}

/** Gives each test of this `describe` the engine with an empty profile, and a new shopper. */
export function visitBeforeEach(engine: Engine, storage: StorageAccess = 'allowed'): void {
  beforeEach(async () => {
    payingShop.line.up();
    payingShop.line.slowTo(engine.line ?? null);
    // Removes what an earlier test has imported.
    await payingShop.shop.backend.query('delete from public.products where "SKC" <> all ($1)', [
      sold,
    ]);
    openedEngine = engine;
    storageAccess = storage;
    email = await newAccount();
    profile = mkdtempSync(join(tmpdir(), 'weft-engine-'));
    browser = await engine.open(profile, storage);
    visitor = await newVisitor();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      console.log(await visitor.report().catch((error: unknown) => String(error)));
    }
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
    for (const { phone, folder } of otherPhones) {
      await phone.close();
      rmSync(folder, { recursive: true, force: true });
    }
    otherPhones = [];
  });
}

/** A visitor in another tab of the same browser. */
export const newVisitor = async () => new Visitor(await browser.newTab(), payingShop.line.url);

/** A visitor on another phone: in another browser of the same engine, with an empty profile. */
export async function newPhone(): Promise<Visitor> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-engine-'));
  const phone = await openedEngine.open(folder, storageAccess);
  otherPhones.push({ phone, folder });
  return new Visitor(await phone.newTab(), payingShop.line.url);
}

/** Returns the account's email address. @param appMetadata such as a role */
export async function newAccount(appMetadata = {}): Promise<string> {
  accountCount += 1;
  const address = `shopper-${accountCount}@weft.test`;
  await payingShop.shop.backend.addAccount({ email: address, password: PASSWORD, appMetadata });
  return address;
}

/** Closes the browser and opens it again with the same profile. */
export async function restart(): Promise<void> {
  await browser.close();
  browser = await openedEngine.open(profile, storageAccess);
  visitor = await newVisitor();
}

/** The shopper logs in, and sees everything that the shop sells. */
export async function logIn(): Promise<void> {
  await visitor.logIn(email);
  await visitor.waitForProducts(sold.length);
}

/** The shopper puts a sock into the empty cart. */
export async function addSock(): Promise<void> {
  await visitor.click('button', /^Add to Cart: Sock/);
  await visitor.waitForCartCount(1);
}

/** The shopper logs in, takes a sock to the checkout and types an address. */
export async function prepareToPay(): Promise<void> {
  await logIn();
  await addSock();
  await visitor.goto('/checkout');
  await visitor.fillAddress();
}

/** Pays on the payment page, comes back to the shop, and expects the shopper's only order to be paid. */
export async function completePayment(): Promise<void> {
  await visitor.click('button', 'Pay');
  await visitor.find('heading', SUCCESS);
  expect(await orderStates()).toEqual(['paid']);
}

/** The server's cart of a shopper: quantities by stock code. */
export const serverCart = (address = email) => cartOf(payingShop.shop.backend, address);

/** The stock codes of a shopper's favourites at the server. */
export const serverFavourites = (address = email) => favouritesOf(payingShop.shop.backend, address);

/** The states of the shopper's orders at the server. */
export async function orderStates(): Promise<unknown[]> {
  return (await ordersOf(payingShop.shop.backend, email)).map(({ state }) => state);
}
