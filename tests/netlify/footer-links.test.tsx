/** The pages that the foot of the shop links to, as `VITE_…_URL` name them. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { footerLinks } from '../../netlify/build/footer-links.ts';
import { FooterLinks } from '../../src/shell/footer-links.tsx';

const readerOf = (settings: Readonly<Record<string, string>>) => (name: string) => settings[name];

test('the foot of the page links to the pages that are set, and to no others', () => {
  expect(footerLinks(readerOf({}))).toBeNull();
  const links = footerLinks(
    readerOf({
      VITE_CONTACT_URL: ' mailto:help@weft.test ',
      VITE_PRIVACY_URL: 'https://weft.test/privacy',
      VITE_TERMS_URL: '',
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

test.each([
  '/privacy',
  'http://weft.test/privacy',
  'weft.test/privacy',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://x.y',
])('the build stops with a sentence when the returns page is set to %s', (address) => {
  expect(() => footerLinks(readerOf({ VITE_RETURNS_URL: address }))).toThrow(
    /^VITE_RETURNS_URL must be a whole address/,
  );
});
