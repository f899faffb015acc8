/** Which pictures the host on this machine serves at the address where Netlify resizes pictures. */
import { expect, test } from 'vitest';
import { pictureIn } from '../../netlify/local/images.ts';

const find = (query: Readonly<Record<string, string>>) => pictureIn(new URLSearchParams(query));

test('a picture of the shop is found, whatever size is requested', () => {
  expect(find({ url: '/pictures/a%20b.jpg?v=1', w: '480' })).toBe('/pictures/a b.jpg');
});

test.each([
  ['another site', { url: 'https://elsewhere.example/a.jpg' }],
  ['another site without its scheme', { url: '//elsewhere.example/a.jpg' }],
  ['no picture', { w: '480' }],
  ['no address', { url: 'a.jpg' }],
  ['a width of 0', { url: '/a.jpg', w: '0' }],
  ['an unknown parameter', { url: '/a.jpg', width: '480' }],
  ['a parameter with the name of a method', { url: '/a.jpg', toString: '480' }],
])('%s is rejected', (_what, query: Readonly<Record<string, string>>) => {
  expect(find(query)).toBeNull();
});
