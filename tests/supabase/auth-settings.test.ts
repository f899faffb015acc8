/** Settings of the auth service that keep an account with its owner. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';

/** What `supabase config push` sends to a hosted project. */
const SETTINGS = parse(
  readFileSync(join(import.meta.dirname, '../../supabase/config.toml'), 'utf8'),
);

/**
 * A stranger may have registered with another person's email address. If the stranger could add a second factor,
 * the auth service would refuse the new password that the owner of the address sets by a mail's link.
 */
test('no account gets a second factor, which would keep its owner out', () => {
  const off = { enroll_enabled: false, verify_enabled: false };
  expect(SETTINGS).toMatchObject({ auth: { mfa: { totp: off, phone: off, web_authn: off } } });
});

test('whoever finds a signed-in phone takes over no account: another address takes a mail to both, another password a new session', () => {
  const email = { double_confirm_changes: true, secure_password_change: true };
  expect(SETTINGS).toMatchObject({ auth: { email } });
});

test('nobody gets an account with an address at which they read no mail', () => {
  const email = { enable_confirmations: true };
  expect(SETTINGS).toMatchObject({ auth: { enable_anonymous_sign_ins: false, email } });
});
