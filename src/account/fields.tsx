import { type InputHTMLAttributes, useId, useState } from 'react';
import { MIN_PASSWORD_LENGTH } from './checks.ts';
import styles from './form.module.css';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string;
  readonly label: string;
  /** What is wrong with the text, in words; undefined while nothing is. */
  readonly fault: string | undefined;
}

function Field({ label, fault, children, ...input }: FieldProps) {
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={styles['entry']}>
        <input
          {...input}
          id={id}
          required
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
        />
        {children}
      </div>
      {fault !== undefined && (
        <p id={faultId} className="fault">
          {fault}
        </p>
      )}
    </div>
  );
}

interface EmailFieldProps {
  /** `username` beside a password field, so that a password manager stores the two together. */
  readonly autoComplete: 'username' | 'email';
  readonly fault: string | undefined;
  readonly defaultValue?: string;
}

export function EmailField({ defaultValue = '', ...props }: EmailFieldProps) {
  return (
    <Field
      {...props}
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      defaultValue={defaultValue}
    />
  );
}

/** Tells a password manager whose password the form is about. */
export function HiddenUsername({ email }: { readonly email: string }) {
  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      defaultValue={email}
      readOnly
      hidden
    />
  );
}

interface PasswordFieldProps {
  readonly label?: string;
  /** Whether the shopper chooses the password here. */
  readonly isNew?: boolean;
  readonly fault: string | undefined;
}

export function PasswordField({ label = 'Password', isNew = false, fault }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...(isNew ? NEW_PASSWORD : CURRENT_PASSWORD)}
      label={label}
      name="password"
      type={isShown ? 'text' : 'password'}
      fault={fault}
    >
      <button
        type="button"
        className={styles['show']}
        aria-label={isShown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </Field>
  );
}

const CURRENT_PASSWORD = { autoComplete: 'current-password' } as const;
const NEW_PASSWORD = {
  autoComplete: 'new-password',
  placeholder: `Minimum ${MIN_PASSWORD_LENGTH} characters`,
  minLength: MIN_PASSWORD_LENGTH,
} as const;
