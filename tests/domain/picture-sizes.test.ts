/** The sizes in which pictures are requested, and whose pictures Netlify, the host, resizes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { remoteImagesFile } from '../../netlify/build/remote-images.ts';
import { remoteImages } from '../../netlify/lib/remote-images.ts';
import { pictureSizes } from '../../src/domain/picture-sizes.ts';
import { temporaryFolder } from '../supabase/shop.ts';

const PROJECT = 'https://abc.supabase.co';
const allowed = remoteImages(PROJECT).map((pattern) => new RegExp(pattern));
/** A picture in the project's public storage. */
const PHOTO = 'https://abc.supabase.co/storage/v1/object/public/shirts/linen.jpg';

test('a photo is offered in several widths, from the shop’s own address', () => {
  const sizes = pictureSizes(PHOTO, allowed);
  const resized = `/.netlify/images?url=${encodeURIComponent(PHOTO)}`;
  expect(sizes?.src).toBe(`${resized}&w=480`);
  expect(sizes?.srcSet.split(', ')).toContain(`${resized}&w=240 240w`);
  expect(pictureSizes('/pictures/linen.jpg', [])?.src).toBe(
    '/.netlify/images?url=%2Fpictures%2Flinen.jpg&w=480',
  );
});

test.each(['/pictures/coat-indigo.svg', `${PHOTO}.SVG?v=2`, 'https://elsewhere.example/a.jpg'])(
  '%s is shown as it is',
  (link) => expect(pictureSizes(link, allowed)).toBeNull(),
);

describe('the host resizes', () => {
  test.each([
    ['pictures of another project', 'https://evil.supabase.co/storage/v1/object/public/a.jpg'],
    ['files that the project does not publish', `${PROJECT}/storage/v1/object/authenticated/a.jpg`],
    ['pictures of a similar name', 'https://abcxsupabase.co/storage/v1/object/public/a.jpg'],
    ['pictures whose address only holds the project’s', `https://evil.example/?${PHOTO}`],
    ['pictures over plain HTTP', PHOTO.replace('https', 'http')],
  ])('no %s', (_what, link) => {
    expect(pictureSizes(link, allowed)).toBeNull();
  });

  test('the addresses that the build writes into the host’s configuration', async () => {
    await using folder = await temporaryFolder();
    const page = join(folder.path, 'index.html');
    await writeFile(page, '<title>the shop</title>');
    await build({
      root: folder.path,
      configFile: false,
      logLevel: 'silent',
      plugins: [remoteImagesFile(folder.path, remoteImages(PROJECT))],
    });
    const written = await readFile(join(folder.path, '.netlify/v1/config.json'), 'utf8');
    expect(JSON.parse(written)).toEqual({
      images: {
        remote_images: [String.raw`^https://abc\.supabase\.co/storage/v1/object/public/`],
      },
    });
  });

  test('only the shop’s own pictures where the backend is not a Supabase project', () => {
    expect(remoteImages('')).toEqual([]);
    expect(remoteImages('http://127.0.0.1:54321')).toEqual([]);
  });
});
