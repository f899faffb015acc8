/** Checks the settings that only the owner of the Supabase project can read: mail, redirects, rules of signing in. */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import { backendSettings, type ReadVariable, siteUrl } from '../lib/env.ts';
import { type Check, type Deployment, fault, type Finding, notChecked, ok } from './finding.ts';
import { jsonIn, requestOrNull } from './request.ts';
import { readerOf, settingsOrNull } from './settings.ts';

/** Source: Supabase's Management API, "Gets project's auth config". */
export const checkProject: Check = async (deployment) => {
  const read = readerOf(deployment);
  const subject = 'Mail and redirects';
  const token = read('SUPABASE_ACCESS_TOKEN')?.trim();
  if (!token) return [notChecked(subject, 'SUPABASE_ACCESS_TOKEN is not set')];
  const backend = settingsOrNull(() => backendSettings(read));
  const project = /^https:\/\/([a-z0-9]+)\.supabase\.co$/.exec(backend?.url ?? '')?.[1];
  if (project === undefined) return [notChecked(subject, 'the backend is not hosted by Supabase')];
  const response = await requestAuthConfig(deployment, project, token);
  if (response === null) {
    return [fault(subject, 'Supabase’s Management API does not answer: try again.')];
  }
  if (!response.ok) {
    const words = `Supabase refuses it for this project (HTTP ${response.status}).`;
    return [fault('SUPABASE_ACCESS_TOKEN', words)];
  }
  const fields = fieldsOf(await jsonIn(response));
  const url = settingsOrNull(() => siteUrl(read));
  return [
    url === null ? notChecked('Redirects', 'URL is not set') : checkRedirects(fields, url),
    checkCaptcha(fields, read),
    checkMail(fields),
    checkRegistration(fields),
    checkPasswords(fields),
    checkFactors(fields),
  ];
};

const PUSH = 'run `npx supabase config push` with the variables of supabase/config.toml set.';

type Config = Readonly<Record<string, unknown>>;

function requestAuthConfig(
  deployment: Deployment,
  project: string,
  token: string,
): Promise<Response | null> {
  const address = `https://api.supabase.com/v1/projects/${project}/config/auth`;
  return requestOrNull(deployment, address, { headers: { authorization: `Bearer ${token}` } });
}

function checkRedirects(config: Config, url: string): Finding {
  const subject = 'Redirects';
  if (withoutSlash(config['site_url']) !== url) {
    return fault(
      subject,
      `Site URL is not ${url}: set it under Authentication > URL configuration.`,
    );
  }
  // The auth service accepts every path of the site's own address without this list.
  const allowed = typeof config['uri_allow_list'] === 'string' ? config['uri_allow_list'] : '';
  const entries = allowed.split(',').map((entry) => entry.trim());
  const foreign = entries.find((entry) => entry !== '' && !`${entry}/`.startsWith(`${url}/`));
  if (foreign === undefined) return ok(subject, `back to ${url} only`);
  return fault(
    subject,
    `A mail's link may lead to ${foreign}: remove it under Authentication > URL configuration.`,
  );
}

/** With a CAPTCHA on one side only, either no shopper can sign in, or the project checks nothing. */
function checkCaptcha(config: Config, read: ReadVariable): Finding {
  const subject = 'CAPTCHA';
  const siteKey = read('VITE_CAPTCHA_SITE_KEY')?.trim();
  const siteProvider = read('VITE_CAPTCHA_PROVIDER')?.trim();
  const projectProvider = config['security_captcha_provider'];
  const isChecked = config['security_captcha_enabled'] === true;
  if (isChecked && !siteKey) {
    return fault(
      subject,
      'The project asks for one, so nobody can sign in: set VITE_CAPTCHA_SITE_KEY.',
    );
  }
  if (siteKey && !isChecked) {
    return fault(
      subject,
      'The project does not check it: switch it on under Authentication > Attack protection.',
    );
  }
  if (isChecked && projectProvider !== siteProvider) {
    return fault(
      subject,
      `The project checks that of ${plainText(projectProvider)}, so nobody can sign in: set VITE_CAPTCHA_PROVIDER to it.`,
    );
  }
  return ok(subject, isChecked ? 'checked by the project' : 'none, only the limits of the project');
}

function withoutSlash(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\/+$/, '') : '';
}

/** Fewer mails an hour are not enough for the registrations of even a small shop. */
const LEAST_MAILS_AN_HOUR = 30;

/** Without SMTP, Supabase sends mail only to the project's team, so no shopper could register. */
function checkMail(config: Config): Finding {
  if (typeof config['smtp_host'] !== 'string' || config['smtp_host'] === '') {
    return fault(
      'Mail',
      'No SMTP is set, so only your team gets mail: set it under Emails > SMTP.',
    );
  }
  const hourlyLimit = config['rate_limit_email_sent'];
  if (typeof hourlyLimit !== 'number' || hourlyLimit < LEAST_MAILS_AN_HOUR) {
    return fault(
      'Mail',
      `Only ${typeof hourlyLimit === 'number' ? hourlyLimit : 'a few'} mails are sent in an hour: raise email_sent in supabase/config.toml, and ${PUSH}`,
    );
  }
  return ok('Mail', `through your own SMTP, at most ${hourlyLimit} an hour`);
}

/** As in supabase/config.toml. A stranger can guess the code in another person's mail if it has fewer digits. */
const LEAST_DIGITS = 10;

function checkRegistration(config: Config): Finding {
  const subject = 'Registration';
  const digits = config['mailer_otp_length'];
  if (config['external_email_enabled'] === false || config['disable_signup'] === true) {
    return fault(subject, `It is switched off, so nobody new can sign up: ${PUSH}`);
  }
  if (config['external_anonymous_users_enabled'] === true) {
    return fault(subject, `Accounts without an e-mail address are allowed: ${PUSH}`);
  }
  if (config['mailer_autoconfirm'] === true) {
    return fault(subject, `E-mail addresses are not confirmed: ${PUSH}`);
  }
  if (config['mailer_secure_email_change_enabled'] === false) {
    return fault(subject, `The old address is not asked when an account gets a new one: ${PUSH}`);
  }
  if (typeof digits === 'number' && digits < LEAST_DIGITS) {
    return fault(subject, `The code in a mail has ${digits} digits and can be guessed: ${PUSH}`);
  }
  return ok(subject, 'e-mail addresses are confirmed');
}

function checkPasswords(config: Config): Finding {
  if (config['security_update_password_require_reauthentication'] !== true) {
    return fault('Passwords', 'Any old session may change one: switch on Secure password change.');
  }
  if (config['security_update_password_require_current_password'] !== true) {
    return fault(
      'Passwords',
      'Who finds a phone may change one: switch on Require current password when updating.',
    );
  }
  return ok('Passwords', 'change by a link in a mail only');
}

/**
 * Beside TOTP, the settings that let a person add a factor to an account, and with it lock out the owner of its
 * email address.
 */
const FACTOR_SETTINGS = [
  'mfa_phone_enroll_enabled',
  'mfa_web_authn_enroll_enabled',
  'passkey_enabled',
] as const;

/** TOTP is on unless the project says otherwise; the other factors are off. */
function checkFactors(config: Config): Finding {
  const subject = 'Second factors';
  const isOff =
    config['mfa_totp_enroll_enabled'] === false &&
    FACTOR_SETTINGS.every((setting) => config[setting] !== true);
  if (isOff) return ok(subject, 'cannot be added');
  return fault(
    subject,
    `Who registered an address first can lock its owner out by adding one: ${PUSH} Then \`delete from auth.mfa_factors\` in the SQL editor, and switch passkeys off.`,
  );
}
