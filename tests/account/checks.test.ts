/** What forms about signing in check, and where links from mails lead. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../src/domain/fields.ts';
import {
  checkEmail,
  checkLogin,
  checkRegistration,
  MIN_PASSWORD_LENGTH,
} from '../../src/account/checks.ts';
import { addressForLink } from '../../src/account/link.ts';

describe('an email address', () => {
  test.each(['ada@weft.test', 'a.b+c@d-e.co.uk', ' ada@weft.test '])('%j is accepted', (email) => {
    expect(checkEmail({ email })).toEqual({});
  });

  test.each(['ada', 'ada@', '@weft.test', 'ada@weft..test', 'ada @weft.test', 'ada@-weft.test'])(
    '%j is rejected',
    (email) => {
      expect(checkEmail({ email })).toEqual({
        email: 'Enter an email address like name@example.com.',
      });
    },
  );
});

test('a login needs both fields', () => {
  expect(checkLogin({})).toEqual({
    email: 'Enter your email address.',
    password: 'Enter your password.',
  });
});

test('a password of five characters is too short to register with, one of six is not', () => {
  const email = 'ada@weft.test';
  expect(checkRegistration({ email, password: '12345' })).toEqual({
    password: 'Use at least 6 characters.',
  });
  expect(checkRegistration({ email, password: '123456' })).toEqual({});
  expect(checkLogin({ email, password: '12345' })).toEqual({});
});

test('the forms and the auth service demand passwords of the same length', () => {
  const file = join(import.meta.dirname, '../../supabase/config.toml');
  const { auth } = parse(readFileSync(file, 'utf8'));
  expect(fieldsOf(auth)['minimum_password_length']).toBe(MIN_PASSWORD_LENGTH);
});

describe('a link from a mail leads', () => {
  const shop = 'https://shop.test';

  // Null: the address stays as it is.
  test.each([
    ['/#access_token=a&refresh_token=b&type=signup', null],
    ['/reset-password#access_token=a&refresh_token=b&type=recovery', null],
    ['/?q=linen#top', null],
    ['/?sb_flow_id=f&code=c', '/#sb_flow_id=f&code=c'],
    ['/reset-password?code=c', '/reset-password#code=c'],
    [
      '/?error=x&error_code=otp_expired#error=x&error_code=otp_expired',
      '/#error=x&error_code=otp_expired',
    ],
    ['/reset-password#error=access_denied&error_code=otp_expired', null],
  ])('with %s to %s', (address, landing) => {
    expect(addressForLink(shop + address)).toBe(landing);
  });
});
