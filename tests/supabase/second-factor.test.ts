/** Settings of the auth service that keep an account with its owner. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';

/**
 * A stranger may have registered with another person's email address. If the stranger could add a second factor,
 * the auth service would refuse the new password that the owner of the address sets by a mail's link.
 */
test('no account gets a second factor, which would keep its owner out', () => {
  const file = join(import.meta.dirname, '../../supabase/config.toml');
  const off = { enroll_enabled: false, verify_enabled: false };
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    auth: { mfa: { totp: off, phone: off, web_authn: off } },
  });
});
