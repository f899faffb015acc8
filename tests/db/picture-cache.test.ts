/** How many pictures stay on the device. A test in a browser says how large they may be together. */
import { expect, test, vi } from 'vitest';
import { MOST_PICTURES, trimPictures } from '../../src/db/picture-cache.ts';

test('above the most pictures that stay, the oldest go', async () => {
  const stored = Array.from({ length: MOST_PICTURES + 2 }, (_, i) => `/${i}.svg`);
  const cache = {
    keys: async () => [...stored],
    match: async () => new Response('<svg/>'),
    delete: async (picture: string) => void stored.splice(stored.indexOf(picture), 1),
  };
  vi.stubGlobal('caches', { open: async () => cache });
  await trimPictures();
  expect(stored).toHaveLength(MOST_PICTURES);
  expect(stored[0]).toBe('/2.svg');
});
