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
  /** The texts that the fields begin with. */
  readonly draft: AddressText;
  readonly country: Country;
  readonly problems: AddressProblems;
  /** Called with the name of a field whose text has changed. */
  readonly onType: (name: string) => void;
}

/**
 * The shipping address. Labels and rules follow the country. The fields are uncontrolled, so that `addressTextIn`
 * also reads what the browser or a script of the page has filled in.
 */
export function AddressForm({ draft, country, problems, onType }: AddressFormProps) {
  const id = useId();
  return (
    <fieldset
      className={styles['address']}
      // Lets a new version reload the page: the checkout stores each text as it is typed. See `pwa/in-use.ts`.
      data-draft=""
      // Not `onChange`: React reports no change of a field that a script of the page has filled in.
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
          onType(target.name);
        }
      }}
    >
      <legend>Shipping address</legend>
      <div className={`field ${styles['field']}`}>
        <label htmlFor={id}>Country</label>
        <select id={id} name="country" autoComplete="shipping country" defaultValue={country}>
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
          defaultValue={draft[field.name] ?? ''}
          problem={problems[field.name]}
        />
      ))}
    </fieldset>
  );
}

/** The texts of the address in a form that contains `AddressForm`. */
export function addressTextIn(form: HTMLFormElement): AddressText {
  const texts = new FormData(form);
  // The names of the fields are the same in every country.
  const names = ['country', ...textFields(DEFAULT_COUNTRY).map(({ name }) => name)];
  const textOf = (name: string) => {
    const text = texts.get(name);
    return typeof text === 'string' ? text : '';
  };
  return Object.fromEntries(names.map((name) => [name, textOf(name)]));
}

/** The country that the form shows: the one in the texts, or the default if the shop no longer delivers there. */
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
}

/** The text fields of a country's addresses, in the order in which people there write them. */
function textFields(country: Country): readonly AddressTextField[] {
  const { stateLabel, postalLabel } = COUNTRY_RULES[country];
  const base = { autoCapitalize: 'words' } as const;
  return [
    { ...base, name: 'full_name', label: 'Full name', autoComplete: 'shipping name' },
    { ...base, name: 'address_line1', label: 'Address', autoComplete: 'shipping address-line1' },
    { ...base, name: 'city', label: 'City', autoComplete: 'shipping address-level2' },
    { ...base, name: 'state', label: stateLabel, autoComplete: 'shipping address-level1' },
    {
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
  readonly defaultValue: string;
  readonly problem: string | undefined;
}

function TextField({ field, defaultValue, problem }: TextFieldProps) {
  const id = useId();
  const { label, ...input } = field;
  return (
    <div className={`field ${styles['field']}`} data-field={field.name}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="text"
        defaultValue={defaultValue}
        required
        spellCheck={false}
        autoCorrect="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="fault">
          {problem}
        </p>
      )}
    </div>
  );
}
