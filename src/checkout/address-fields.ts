import type { HTMLAttributes } from 'react';
import { type Country, COUNTRY_RULES, type ShippingAddress } from '../domain/address.ts';

/** One text field of the shipping form. The specification and the server use the same name. */
export interface AddressTextField {
  readonly name: Exclude<keyof ShippingAddress, 'country'>;
  readonly label: string;
  /** What the browser may fill in. Source: WHATWG HTML, "autofill detail tokens". */
  readonly autoComplete: string;
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly autoCapitalize: 'words' | 'characters';
  /** The browser offers these while the shopper types; the field takes other texts too. */
  readonly suggestions: readonly string[];
}

/** The text fields of a country's addresses, in the order in which people there write them. */
export function textFields(country: Country): readonly AddressTextField[] {
  const { stateLabel, postalLabel, regions } = COUNTRY_RULES[country];
  const words = { autoCapitalize: 'words', suggestions: [] } as const;
  return [
    { ...words, name: 'full_name', label: 'Full name', autoComplete: 'shipping name' },
    { ...words, name: 'address_line1', label: 'Address', autoComplete: 'shipping address-line1' },
    { ...words, name: 'city', label: 'City', autoComplete: 'shipping address-level2' },
    {
      ...words,
      name: 'state',
      label: stateLabel,
      autoComplete: 'shipping address-level1',
      suggestions: regions === null ? [] : Object.values(regions),
    },
    {
      ...words,
      name: 'postal_code',
      label: postalLabel,
      autoComplete: 'shipping postal-code',
      autoCapitalize: 'characters',
      // Only US codes are all digits; a phone then shows its number keys.
      ...(country === 'US' ? { inputMode: 'numeric' } : {}),
    },
  ];
}
