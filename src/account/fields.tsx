import { type InputHTMLAttributes, useId, useState } from 'react';
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
  readonly autoComplete: 'current-password' | 'new-password';
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly fault: string | undefined;
}

export function PasswordField({ label = 'Password', ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...props} label={label} name="password" type={isShown ? 'text' : 'password'}>
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
