/** Shipping addresses: which are accepted in each country, and the problems that rejected ones have. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ShippingAddress } from '../../src/domain/address.ts';
import { COUNTRIES, COUNTRY_RULES, countryName, parseAddress } from '../../src/domain/address.ts';
import { regionCode } from '../../src/domain/regions.ts';

const US: ShippingAddress = {
  full_name: 'Ada Byron',
  address_line1: '12 St James’s Square',
  city: 'Chicago',
  state: 'IL',
  postal_code: '60614',
  country: 'US',
};
const CA = { ...US, state: 'ON', postal_code: 'M5V 2T6', country: 'CA' };
const GB = { ...US, state: 'Kent', postal_code: 'EC1A 1BB', country: 'GB' };

const problemsOf = (value: unknown) => {
  const check = parseAddress(value);
  return check.ok ? {} : check.problems;
};
/** The accepted address, or else its problems. */
const addressOf = (value: unknown) => {
  const check = parseAddress(value);
  return check.ok ? check.address : check.problems;
};

test('the country is the United States if none is given, and must be one that the shop delivers to', () => {
  const { country: _, ...withoutCountry } = US;
  expect(addressOf(withoutCountry)).toEqual(US);
  for (const country of ['FR', 'us', 7, ['US']]) {
    expect(problemsOf({ ...US, country })).toEqual({
      country: 'Choose a country we ship to: United States, Canada, or United Kingdom.',
    });
  }
});

test('a country is named though the shop does not deliver to it', () => {
  expect(['GB', 'FR'].map(countryName)).toEqual(['United Kingdom', 'France']);
});

test('every field that is missing is named, with the country’s own word', () => {
  const nothing = { full_name: ' ', address_line1: 7, city: null, state: '' };
  expect(problemsOf(nothing)).toEqual({
    full_name: 'Enter your full name.',
    address_line1: 'Enter your street address.',
    city: 'Enter your city.',
    state: 'Enter your state.',
    postal_code: 'Enter your ZIP code.',
  });
  expect(problemsOf({ ...nothing, country: 'CA' })).toMatchObject({
    state: 'Enter your province.',
    postal_code: 'Enter your postal code.',
  });
  expect(problemsOf({ ...nothing, country: 'GB' })).toMatchObject({
    state: 'Enter your county.',
    postal_code: 'Enter your postcode.',
  });
  for (const value of [null, undefined, 'US', [], 7]) expect(parseAddress(value).ok).toBe(false);
});

describe('postal codes', () => {
  test.each([
    [US, '60614', ['60614']],
    [US, '60614-1234', ['60614-1234', '60614 1234', '606141234']],
    [CA, 'M5V 2T6', ['M5V 2T6', 'm5v2t6', 'M5V-2T6']],
    [GB, 'EC1A 1BB', ['EC1A 1BB', 'ec1a1bb']],
    [GB, 'M1 1AE', ['M1 1AE']],
    [GB, 'B33 8TH', ['B33 8TH']],
    [GB, 'GIR 0AA', ['gir 0aa']],
    [GB, 'BFPO 57', ['BFPO 57', 'bfpo57']],
    [GB, 'BF1 2AT', ['BF1 2AT']],
  ])('of $country are written as its post office does: $1', (address, written, given) => {
    for (const postal_code of given) {
      const accepted = addressOf({ ...address, postal_code });
      expect(accepted).toEqual({ ...address, postal_code: written });
    }
  });

  test.each([
    [US, ['6061', '606140', '60614-12', 'M5V 2T6', '٦٠٦١٤']], // the last in Arabic digits
    [CA, ['M5V', 'D5V 2T6', 'M5V 2O6', '60614']], // D and O never occur
    [GB, ['EC1A', 'EC1A 1BC', '1A 1BB', '60614', 'EC1A  1 BB']], // the second half never has a C
  ])('that $country does not have are rejected', (address, wrong) => {
    for (const postal_code of wrong) {
      const problems = Object.keys(problemsOf({ ...address, postal_code }));
      expect(problems, postal_code).toEqual(['postal_code']);
    }
  });

  test('fit the example that the form gives', () => {
    for (const country of COUNTRIES) {
      const { postalExample, readPostalCode } = COUNTRY_RULES[country];
      expect(readPostalCode(postalExample)).toBe(postalExample);
    }
  });
});

test('a state or province may be written out, and becomes its two letters', () => {
  expect(addressOf({ ...US, state: 'new  york' })).toMatchObject({ state: 'NY' });
  expect(addressOf({ ...US, state: 'dc' })).toMatchObject({ state: 'DC' });
  expect(addressOf({ ...CA, state: 'quebec' })).toMatchObject({ state: 'QC' });
  expect(problemsOf({ ...US, state: 'Ontario' })).toEqual({
    state: 'Enter a valid state.',
  });
  expect(problemsOf({ ...CA, state: 'IL' })).toEqual({
    state: 'Enter a valid province.',
  });
  // Every JavaScript object has a property of this name.
  expect(problemsOf({ ...US, state: 'constructor' })).not.toEqual({});
});

test.each([
  ['CA', 'QC', 'Que\u0301bec|QUEBEC|Qué.|P.Q.|Province de Québec'],
  ['CA', 'NL', 'Newfoundland & Labrador|Nfld.'],
  ['US', 'AE', 'Armed Forces Middle East|APO AE|A.E.'],
  ['US', 'DC', 'Washington, D.C.|D. C.'],
  ['US', 'MN', 'Minnesota\u200b|Minn.'],
] as const)('in %s, people and phones write %s as %s', (country, code, written) => {
  for (const state of written.split('|')) {
    const address = { ...(country === 'CA' ? CA : US), state };
    expect(addressOf(address), state).toMatchObject({ state: code });
  }
});

test('every region of a country is known by its letters and its name, and none by those of another', () => {
  for (const { regions } of Object.values(COUNTRY_RULES)) {
    for (const [code, name] of Object.entries(regions ?? {})) {
      expect([regionCode(regions ?? {}, code), regionCode(regions ?? {}, name)]).toEqual([
        code,
        code,
      ]);
    }
  }
});

test('a name keeps the joiners with which it is written, and loses other invisible characters', () => {
  const names = [
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['ශ්\u200dරී', 'ශ්\u200dරී'],
    ['\u200cAda\u200b By\u2066ron\u200d ', 'Ada Byron'],
  ] as const;
  for (const [typed, full_name] of names) {
    expect(addressOf({ ...US, full_name: typed })).toMatchObject({ full_name });
  }
});

test('text is one line without invisible characters, of a hundred characters at most', () => {
  const full_name = '  Ada\n\tByron\u202e\u0000 ';
  expect(addressOf({ ...US, full_name })).toMatchObject({ full_name: 'Ada Byron' });
  expect(Object.keys(problemsOf({ ...US, city: 'x'.repeat(101) }))).toEqual(['city']);
});

test('an accepted address is accepted again unchanged', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(
      fc.record({ full_name: text, address_line1: text, city: text, state: text }),
      (typed) => {
        const first = parseAddress({ ...GB, ...typed });
        if (first.ok) expect(parseAddress(first.address)).toEqual(first);
      },
    ),
  );
});
