/**
 * What a shop tells its shoppers beside its products: the variables `SHOP_*`. Only this file reads them, for the
 * build, which writes them into the page, and for functions and the doctor.
 */
import type { ShopNote } from '../../src/domain/shop-note.ts';
import { NotConfigured, type ReadVariable } from './env.ts';

/** Null where a variable is not set. */
export interface ShopSettings {
  /** Where shoppers write to the shop: a `mailto:` address or a page. */
  readonly contact: string | null;
  readonly delivery: ShopNote | null;
  readonly returns: ShopNote | null;
  readonly care: ShopNote | null;
  readonly sizeGuide: ShopNote | null;
  readonly privacy: string | null;
  readonly terms: string | null;
}

/** @throws NotConfigured, whose message names the variable */
export function shopSettings(read: ReadVariable): ShopSettings {
  return {
    contact: readAddress(read, 'SHOP_CONTACT'),
    delivery: readNote(read, 'SHOP_DELIVERY'),
    returns: readNote(read, 'SHOP_RETURNS'),
    care: readNote(read, 'SHOP_CARE'),
    sizeGuide: readNote(read, 'SHOP_SIZE_GUIDE'),
    privacy: readAddress(read, 'SHOP_PRIVACY'),
    terms: readAddress(read, 'SHOP_TERMS'),
  };
}

function readAddress(read: ReadVariable, name: string): string | null {
  const text = read(name)?.trim();
  if (!text) return null;
  const address = addressOf(text);
  if (address === null) throw new NotConfigured(`${name} must be ${ADDRESS}; it is "${text}".`);
  return address;
}

function readNote(read: ReadVariable, name: string): ShopNote | null {
  const text = read(name)?.trim();
  if (!text) return null;
  const address = addressOf(text);
  if (address !== null) return { href: address };
  // A single word is an address with a mistake in it, rather than a text.
  if (!/\s/.test(text)) {
    throw new NotConfigured(`${name} must be ${ADDRESS}, or a sentence; it is "${text}".`);
  }
  return { text };
}

const ADDRESS = 'an address, such as https://your.shop/page or help@your.shop';
const SCHEMES = new Set(['https:', 'mailto:']);

/** An https address, a `mailto:` address, or an email address as people write it. */
function addressOf(text: string): string | null {
  if (/\s/.test(text)) return null;
  const url = URL.parse(/^[^:/@<>]+@[^:/@<>]+$/.test(text) ? `mailto:${text}` : text);
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null;
}
