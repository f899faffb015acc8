import { describe, expect, test } from 'vitest';
import { resizedPictures } from '../../netlify/build/resized-pictures.ts';
import { pictureSizes } from '../../src/domain/picture-sizes.ts';

const toml = (pattern: string) => `[images]\nremote_images = [${JSON.stringify(pattern)}]\n`;
const PATTERN = String.raw`^https://[a-z0-9]+\.supabase\.co/storage/v1/object/public/`;
const allowed = [new RegExp(PATTERN)];
const BUCKET = 'https://abc.supabase.co/storage/v1/object/public/shirts/linen.jpg';

test('a photo is offered in several widths, from the shop’s own address', () => {
  const sizes = pictureSizes(BUCKET, allowed);
  const from = `/.netlify/images?url=${encodeURIComponent(BUCKET)}`;
  expect(sizes?.src).toBe(`${from}&w=480`);
  expect(sizes?.srcSet.split(', ')).toContain(`${from}&w=240 240w`);
  expect(pictureSizes('/pictures/linen.jpg', [])?.src).toBe(
    '/.netlify/images?url=%2Fpictures%2Flinen.jpg&w=480',
  );
});

test.each(['/pictures/coat-indigo.svg', `${BUCKET}.SVG?v=2`, 'https://elsewhere.example/a.jpg'])(
  '%s is shown as it is',
  (link) => expect(pictureSizes(link, allowed)).toBeNull(),
);

describe('which sites the host resizes pictures of', () => {
  test('is read from where the host reads it', () => {
    expect(resizedPictures(toml(PATTERN))).toEqual([PATTERN]);
    expect(resizedPictures('')).toEqual([]);
  });

  test.each([
    ['others could put it into their own address', String.raw`https://shop\.example/.*`],
    ['a dot that stands for any letter', '^https://shop.example/'],
    ['a host that could go on', String.raw`^https://shop\.example`],
    ['any host', '^https://.*/'],
    ['a connection that anybody can read', String.raw`^http://shop\.example/`],
  ])('is refused with %s', (_why, pattern) => {
    expect(() => resizedPictures(toml(pattern))).toThrow(pattern);
  });
});
