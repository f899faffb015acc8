/** What the variables `SHOP_*` say, and what the foot of the shop links to. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { footerLinks } from '../../netlify/build/footer-links.ts';
import { shopSettings } from '../../netlify/lib/shop-settings.ts';
import { FooterLinks } from '../../src/shell/footer-links.tsx';

const settingsIn = (variables: Readonly<Record<string, string>>) =>
  shopSettings((name) => variables[name]);

test('the foot of the page links to the pages that are set, and to no others', () => {
  expect(footerLinks(settingsIn({}))).toBeNull();
  const links = footerLinks(
    settingsIn({
      SHOP_CONTACT: ' mailto:help@weft.test ',
      SHOP_PRIVACY: 'https://weft.test/privacy',
      SHOP_RETURNS: 'Send it back within 30 days.',
      SHOP_TERMS: '',
      SHOP_DELIVERY: '',
    }),
  );
  expect(links).toEqual([
    { label: 'Privacy', href: 'https://weft.test/privacy' },
    { label: 'Contact', href: 'mailto:help@weft.test' },
  ]);
  expect(renderToStaticMarkup(<FooterLinks links={links ?? []} />)).toBe(
    '<nav aria-label="About the shop"><a href="https://weft.test/privacy">Privacy</a>' +
      '<a href="mailto:help@weft.test">Contact</a></nav>',
  );
});

test('a contact that is an email address alone becomes a link that writes a mail', () => {
  expect(settingsIn({ SHOP_CONTACT: 'help@weft.test' }).contact).toBe('mailto:help@weft.test');
});

test('delivery, returns, care and size guide are each an address or a text', () => {
  expect(
    settingsIn({
      SHOP_DELIVERY: 'Delivery: $5, free from $100.',
      SHOP_RETURNS: 'https://weft.test/returns',
      SHOP_CARE: ' Wash at 30 °C. ',
      SHOP_SIZE_GUIDE: 'https://weft.test/sizes',
    }),
  ).toMatchObject({
    delivery: { text: 'Delivery: $5, free from $100.' },
    returns: { href: 'https://weft.test/returns' },
    care: { text: 'Wash at 30 °C.' },
    sizeGuide: { href: 'https://weft.test/sizes' },
  });
});

test.each(['/privacy', 'http://weft.test/privacy', 'javascript:alert(1)'])(
  'the build stops with a sentence when a page is set to %s',
  (address) => {
    for (const name of ['SHOP_PRIVACY', 'SHOP_RETURNS', 'SHOP_CONTACT']) {
      expect(() => settingsIn({ [name]: address })).toThrow(`${name} must be an address`);
    }
  },
);
