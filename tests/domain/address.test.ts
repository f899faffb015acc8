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

test('a complete address of each country is accepted unchanged', () => {
  for (const address of [US, CA, GB]) expect(addressOf(address)).toEqual(address);
});

test('the country is the United States if none is given, and must be one that the shop delivers to', () => {
  const { country: _, ...withoutCountry } = US;
  expect(addressOf(withoutCountry)).toEqual(US);
  for (const country of ['FR', 'us', 7, ['US']]) {
    expect(problemsOf({ ...US, country })).toEqual({
      country: 'We deliver to United States, Canada, United Kingdom.',
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

/** Provinces and states as people and phones write them. */
const REGIONS_AS_WRITTEN = {
  CA: [
    ['QC', 'Québec', 'Que\u0301bec', 'QUEBEC', 'Qué.', 'Que', 'P.Q.', 'Province de Québec'],
    ['ON', 'Ontario', 'Ont.', 'ont'],
    ['NB', 'Nouveau-Brunswick', 'N.-B.', 'New-Brunswick', 'N.B.'],
    ['NS', 'Nouvelle-Écosse', 'N.-É.', 'Nova  Scotia', 'N.S.'],
    ['PE', 'PEI', 'P.E.I.', 'Île-du-Prince-Édouard', 'Î.-P.-É.', 'Prince Edward Island', 'I.P.E.'],
    ['NL', 'Newfoundland', 'Newfoundland & Labrador', 'Nfld.', 'NF', 'Terre-Neuve-et-Labrador'],
    ['BC', 'B.C.', 'Colombie-Britannique', 'C.-B.', 'british columbia'],
    ['AB', 'Alta.', 'Alberta'],
    ['SK', 'Sask.', 'Saskatchewan'],
    ['MB', 'Man.', 'Manitoba'],
    ['YT', 'Yukon', 'Yukon Territory', 'Territoire du Yukon', 'Y.T.'],
    ['NT', 'N.W.T.', 'NWT', 'Territoires du Nord-Ouest', 'T.N.-O.', 'Northwest Territories'],
    ['NU', 'Nunavut', 'Nvt.'],
  ],
  US: [
    ['AL', 'Alabama', 'Ala.'],
    ['AK', 'Alaska'],
    ['AS', 'American Samoa'],
    ['AZ', 'Arizona', 'Ariz.'],
    ['AR', 'Arkansas', 'Ark.'],
    ['AA', 'Armed Forces Americas', 'Armed Forces the Americas', 'APO AA'],
    ['AE', 'Armed Forces Europe', 'Armed Forces Middle East', 'APO AE', 'A.E.'],
    ['AP', 'Armed Forces Pacific', 'FPO AP'],
    ['CA', 'California', 'Calif.', 'CALIFORNIA'],
    ['CO', 'Colorado', 'Colo.'],
    ['CT', 'Connecticut', 'Conn.'],
    ['DE', 'Delaware', 'Del.'],
    ['DC', 'District of Columbia', 'Washington DC', 'Washington, D.C.', 'D.C.', 'D. C.'],
    ['FM', 'Federated States of Micronesia', 'Micronesia'],
    ['FL', 'Florida', 'Fla.'],
    ['GA', 'Georgia'],
    ['GU', 'Guam'],
    ['HI', 'Hawaii'],
    ['ID', 'Idaho'],
    ['IL', 'Illinois', 'Ill.'],
    ['IN', 'Indiana', 'Ind.'],
    ['IA', 'Iowa'],
    ['KS', 'Kansas', 'Kans.'],
    ['KY', 'Kentucky'],
    ['LA', 'Louisiana'],
    ['ME', 'Maine'],
    ['MH', 'Marshall Islands'],
    ['MD', 'Maryland'],
    ['MA', 'Massachusetts', 'Mass.'],
    ['MI', 'Michigan', 'Mich.'],
    ['MN', 'Minnesota\u200b', 'Minn.'],
    ['MS', 'Mississippi', 'Miss.'],
    ['MO', 'Missouri'],
    ['MT', 'Montana', 'Mont.'],
    ['NE', 'Nebraska', 'Nebr.'],
    ['NV', 'Nevada', 'Nev.'],
    ['NH', 'New Hampshire'],
    ['NJ', 'New Jersey'],
    ['NM', 'New Mexico', 'N. Mex.'],
    ['NY', 'New\u00a0York', 'N.Y.'],
    ['NC', 'North-Carolina', 'N. Car.', 'N.C.'],
    ['ND', 'North Dakota', 'N. Dak.'],
    ['MP', 'Northern Mariana Islands', 'CNMI'],
    ['OH', 'Ohio'],
    ['OK', 'Oklahoma', 'Okla.'],
    ['OR', 'Oregon', 'Oreg.', 'Ore.'],
    ['PW', 'Palau'],
    ['PA', 'Pennsylvania', 'Penna.', 'Penn'],
    ['PR', 'Puerto Rico', 'P.R.'],
    ['RI', 'Rhode Island'],
    ['SC', 'South Carolina', 'S. Car.'],
    ['SD', 'South Dakota', 'S. Dak.'],
    ['TN', 'Tennessee', 'Tenn.'],
    ['TX', 'Texas', 'Tex.'],
    ['UT', 'Utah'],
    ['VT', 'Vermont'],
    ['VI', 'U.S. Virgin Islands', 'Virgin Islands', 'US Virgin Islands', 'USVI'],
    ['VA', 'Virginia'],
    ['WA', 'Washington', 'Wash.', 'Washington State'],
    ['WV', 'West Virginia', 'W. Va.'],
    ['WI', 'Wisconsin', 'Wis.'],
    ['WY', 'Wyoming', 'Wyo.'],
  ],
} as const;

test.each(
  (['CA', 'US'] as const).flatMap((country) =>
    REGIONS_AS_WRITTEN[country].flatMap(([code, ...written]) =>
      written.map((text) => [country, text, code] as const),
    ),
  ),
)('in %s, “%s” is %s', (country, state, code) => {
  expect(addressOf({ ...(country === 'CA' ? CA : US), state })).toMatchObject({ state: code });
});

test('every province and state is among them', () => {
  for (const country of ['CA', 'US'] as const) {
    const codes = REGIONS_AS_WRITTEN[country].map(([code]) => code);
    expect(codes.toSorted()).toEqual(Object.keys(COUNTRY_RULES[country].regions ?? {}).toSorted());
  }
});

test('no two regions of a country are written in the same way', () => {
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
