/** As the auth service demands: `minimum_password_length` in supabase/config.toml. */
export const MIN_PASSWORD_LENGTH = 6;

/** The texts in a form, by the field's name. */
export type FormFields = Readonly<Record<string, string>>;
/** What is wrong with a form, by the field's name. */
export type Faults = Readonly<Record<string, string>>;

/** What browsers accept as an email address in `type="email"`. Source: WHATWG HTML, "valid e-mail address". */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

export function checkEmail({ email = '' }: FormFields): Faults {
  if (email.trim() === '') return { email: 'Enter your email address.' };
  if (EMAIL.test(email.trim())) return {};
  return { email: 'Enter an email address like name@example.com.' };
}

export function checkLogin(fields: FormFields): Faults {
  return { ...checkEmail(fields), ...checkCurrentPassword(fields) };
}

export function checkCurrentPassword({ password = '' }: FormFields): Faults {
  return password === '' ? { password: 'Enter your password.' } : {};
}

export function checkNewPassword({ password = '' }: FormFields): Faults {
  if (password === '') return { password: 'Choose a password.' };
  if (password.length >= MIN_PASSWORD_LENGTH) return {};
  return { password: `Use at least ${MIN_PASSWORD_LENGTH} characters.` };
}

export function checkRegistration(fields: FormFields): Faults {
  return { ...checkEmail(fields), ...checkNewPassword(fields) };
}
