/**
 * The rules for shipping addresses. The page and the server both use them, so the page never accepts an
 * address that the server then rejects.
 */
import { fieldsOf } from './fields.ts';
import { CA_PROVINCES, regionCode, US_STATES } from './regions.ts';

export const COUNTRIES = ['US', 'CA', 'GB'] as const;
export type Country = (typeof COUNTRIES)[number];
export const DEFAULT_COUNTRY: Country = 'US';

/** The field names are the specification's. */
export interface ShippingAddress {
  readonly full_name: string;
  readonly address_line1: string;
  readonly city: string;
  /** The two letters of a US state or a Canadian province; any text for a British county. */
  readonly state: string;
  readonly postal_code: string;
  readonly country: Country;
}

/** An address of an order. The shop may have stopped delivering to its country since. */
export type StoredAddress = Readonly<Record<AddressField, string>>;

export type AddressField = keyof ShippingAddress;

/** A sentence for each field with a problem. */
export type AddressProblems = Readonly<Partial<Record<AddressField, string>>>;

export type AddressCheck =
  | { readonly ok: true; readonly address: ShippingAddress }
  | { readonly ok: false; readonly problems: AddressProblems };

interface CountryRules {
  readonly stateLabel: string;
  readonly postalLabel: string;
  readonly postalExample: string;
  /** Names by two-letter code; null where the region is free text. */
  readonly regions: Readonly<Record<string, string>> | null;
  /** Returns the code as it is written on a parcel, or null. */
  readonly readPostalCode: (text: string) => string | null;
}

export const COUNTRY_RULES: Readonly<Record<Country, CountryRules>> = {
  US: {
    stateLabel: 'State',
    postalLabel: 'ZIP code',
    postalExample: '60614',
    regions: US_STATES,
    readPostalCode: (text) => {
      const [, zip, more] = /^(\d{5})[ -]?(\d{4})?$/.exec(text) ?? [];
      if (zip === undefined) return null;
      return more === undefined ? zip : `${zip}-${more}`;
    },
  },
  CA: {
    stateLabel: 'Province',
    postalLabel: 'Postal code',
    postalExample: 'M5V 2T6',
    regions: CA_PROVINCES,
    // D, F, I, O, Q and U never occur; W and Z not in the first place. Source: Canada Post.
    readPostalCode: (text) =>
      joined(/^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/i.exec(text)),
  },
  GB: {
    stateLabel: 'County',
    postalLabel: 'Postcode',
    postalExample: 'EC1A 1BB',
    regions: null,
    // The second half never has C, I, K, M, O or V. Only in GIR 0AA has the first half no digit.
    // The forces' addresses may have their number instead: BFPO 57.
    // Source: Royal Mail, "Programmers' guide to PAF".
    readPostalCode: (text) =>
      joined(
        /^(GIR|[A-Z]{1,2}\d[A-Z\d]?) ?(\d[ABD-HJLNP-UW-Z]{2})$/i.exec(text) ??
          /^(BFPO) ?(\d{1,4})$/i.exec(text),
      ),
  },
};

/** The English name of any country in the world, by its two letters. */
export function countryName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}

/** The lines of a parcel's label; none once the address was erased. */
export function addressLines(address: StoredAddress): string[] {
  const { full_name, address_line1, city, state, postal_code, country } = address;
  if (country === '') return [];
  return [full_name, address_line1, `${city}, ${state} ${postal_code}`, countryName(country)];
}

/** The longest text in a field, in characters. The payment providers accept more. */
const LONGEST = 100;

/** Validates and normalises an address from a form or a request. Unknown fields are left out. */
export function parseAddress(value: unknown): AddressCheck {
  const fields = fieldsOf(value);
  const country = readCountry(fields['country']);
  if (country === null) {
    const either = new Intl.ListFormat('en', { type: 'disjunction' });
    const names = either.format(COUNTRIES.map(countryName));
    return { ok: false, problems: { country: `Choose a country we ship to: ${names}.` } };
  }
  const { regions, stateLabel, postalLabel, postalExample, readPostalCode } =
    COUNTRY_RULES[country];
  const problems: Partial<Record<AddressField, string>> = {};
  const text = (field: Exclude<AddressField, 'country'>, label: string): string => {
    const tidy = tidied(fields[field]);
    if (tidy === '') problems[field] = `Enter your ${label}.`;
    else if (tidy.length > LONGEST) problems[field] = `Use up to ${LONGEST} characters.`;
    return tidy;
  };

  const full_name = text('full_name', 'full name');
  const address_line1 = text('address_line1', 'street address');
  const city = text('city', 'city');
  let state = text('state', stateLabel.toLowerCase());
  let postal_code = text('postal_code', inSentence(postalLabel));
  if (problems.state === undefined && regions !== null) {
    const known = regionCode(regions, state);
    if (known === null) problems.state = `Enter a valid ${stateLabel.toLowerCase()}.`;
    else state = known;
  }
  if (problems.postal_code === undefined) {
    const known = readPostalCode(postal_code);
    if (known === null) {
      problems.postal_code = `Enter a ${inSentence(postalLabel)} such as ${postalExample}.`;
    } else postal_code = known;
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    address: { full_name, address_line1, city, state, postal_code, country },
  };
}

/** Returns the default for a missing country, and null for one that the shop does not deliver to. */
function readCountry(value: unknown): Country | null {
  if (value === undefined || value === null || value === '') return DEFAULT_COUNTRY;
  return COUNTRIES.find((country) => country === value) ?? null;
}

/**
 * Normalises a text to one line without invisible characters. Inside a word the two joiners stay: names in Persian
 * and in Indic scripts are written with them.
 */
export function tidied(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The two halves that a pattern has matched, in capitals with a space between; null for no match. */
function joined(halves: RegExpExecArray | null): string | null {
  return halves === null ? null : `${halves[1]} ${halves[2]}`.toUpperCase();
}

/** A label as it stands inside a sentence. */
function inSentence(label: string): string {
  return label.startsWith('ZIP') ? label : label.toLowerCase();
}
