import { expect, test } from 'vitest';
import { findImage } from '../../netlify/local/images.ts';

const find = (query: Readonly<Record<string, string>>) =>
  findImage(new URLSearchParams(query), [String.raw`^https://pictures\.example/`]);

test('a picture of the shop, and one of a site that a rule allows, are found', () => {
  expect(find({ url: '/pictures/a%20b.jpg?v=1', w: '480' })).toEqual({
    kind: 'own',
    path: '/pictures/a b.jpg',
  });
  const url = 'https://pictures.example/a.jpg';
  expect(find({ url, w: '480', fm: 'avif', q: '80', fit: 'cover', h: '600' })).toEqual({
    kind: 'elsewhere',
    url,
  });
});

test.each([
  ['another site', { url: 'https://elsewhere.example/?https://pictures.example/' }],
  ['another site without its scheme', { url: '//elsewhere.example/a.jpg' }],
  ['no picture', { w: '480' }],
  ['no address', { url: 'a.jpg' }],
  ['a width of nothing', { url: '/a.jpg', w: '0' }],
  ['an unknown format', { url: '/a.jpg', fm: 'bmp' }],
  ['an unknown parameter', { url: '/a.jpg', width: '480' }],
])('%s is rejected', (_what, query: Readonly<Record<string, string>>) => {
  expect(find(query).kind).toBe('rejected');
});
