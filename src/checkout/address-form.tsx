import { type HTMLAttributes, useId } from 'react';
import {
  type AddressProblems,
  COUNTRIES,
  type Country,
  COUNTRY_RULES,
  countryName,
  DEFAULT_COUNTRY,
  type ShippingAddress,
} from '../domain/address.ts';
import styles from './address-form.module.css';

/** The texts in the form, by the field's name. */
export type AddressText = Readonly<Record<string, string>>;

interface AddressFormProps {
  readonly text: AddressText;
  readonly problems: AddressProblems;
  readonly onType: (name: string, value: string) => void;
}

/** The shipping address. Labels and rules follow the country. */
export function AddressForm({ text, problems, onType }: AddressFormProps) {
  const id = useId();
  const country = countryOf(text);
  return (
    <fieldset className={styles['address']}>
      <legend>Shipping address</legend>
      <div className={`field ${styles['field']}`}>
        <label htmlFor={id}>Country</label>
        <select
          id={id}
          name="country"
          autoComplete="shipping country"
          value={country}
          onChange={(event) => onType('country', event.target.value)}
        >
          {COUNTRIES.map((code) => (
            <option key={code} value={code}>
              {countryName(code)}
            </option>
          ))}
        </select>
      </div>
      {textFields(country).map((field) => (
        <TextField
          key={field.name}
          field={field}
          value={text[field.name] ?? ''}
          problem={problems[field.name]}
          onType={onType}
        />
      ))}
    </fieldset>
  );
}

/** The country that the form shows: the default, where the shop no longer delivers to the one typed before. */
export function countryOf({ country }: AddressText): Country {
  return COUNTRIES.find((known) => known === country) ?? DEFAULT_COUNTRY;
}

/** One text field of the shipping address. */
interface AddressTextField {
  /** As in the specification and at the server. */
  readonly name: Exclude<keyof ShippingAddress, 'country'>;
  readonly label: string;
  /** What the browser may fill in. Source: WHATWG HTML, "autofill detail tokens". */
  readonly autoComplete: string;
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly autoCapitalize: 'words' | 'characters';
  /** Texts that the browser offers while the shopper types; the shopper may type others. */
  readonly suggestions: readonly string[];
}

/** The text fields of a country's addresses, in the order in which people there write them. */
export function textFields(country: Country): readonly AddressTextField[] {
  const { stateLabel, postalLabel, regions } = COUNTRY_RULES[country];
  const base = { autoCapitalize: 'words', suggestions: [] } as const;
  return [
    { ...base, name: 'full_name', label: 'Full name', autoComplete: 'shipping name' },
    { ...base, name: 'address_line1', label: 'Address', autoComplete: 'shipping address-line1' },
    { ...base, name: 'city', label: 'City', autoComplete: 'shipping address-level2' },
    {
      ...base,
      name: 'state',
      label: stateLabel,
      autoComplete: 'shipping address-level1',
      suggestions: regions === null ? [] : Object.values(regions),
    },
    {
      ...base,
      name: 'postal_code',
      label: postalLabel,
      autoComplete: 'shipping postal-code',
      autoCapitalize: 'characters',
      // Only US codes are all digits; a phone then shows its number keys.
      ...(country === 'US' ? { inputMode: 'numeric' } : {}),
    },
  ];
}

interface TextFieldProps {
  readonly field: AddressTextField;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onType: (name: string, value: string) => void;
}

function TextField({ field, value, problem, onType }: TextFieldProps) {
  const id = useId();
  const { label, suggestions, ...input } = field;
  return (
    <div className={`field ${styles['field']}`} data-field={field.name}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="text"
        value={value}
        required
        maxLength={100}
        spellCheck={false}
        autoCorrect="off"
        list={suggestions.length === 0 ? undefined : `${id}-suggestions`}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onType(field.name, event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion}>{suggestion}</option>
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="fault">
          {problem}
        </p>
      )}
    </div>
  );
}
