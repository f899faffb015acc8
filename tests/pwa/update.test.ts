/** What the service worker of a new version keeps of the last one while it is installed. */
import { expect, test, vi } from 'vitest';

// Workbox reads `self` when it is imported.
vi.stubGlobal('self', globalThis);

/** In a variable, because TypeScript would check an imported literal, and `sw/` is a project of its own. */
const UPDATE = '../../sw/update.ts';
interface Update {
  keepLastVersion(worker: object, entries: readonly string[]): void;
}

const OLD_FILES = ['https://shop.example/assets/a-1.js', 'https://shop.example/assets/b-1.js'];

/** Installs a new version on a device that has room for so many more files. */
async function install(room: { files: number; pictures: number }): Promise<readonly string[]> {
  const stored: string[] = [];
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => OLD_FILES.map((url) => ({ url })),
      match: async () => new Response('a script'),
      async put({ url }: { url: string }) {
        if (stored.length >= room.files) throw new DOMException('full', 'QuotaExceededError');
        stored.push(url);
      },
    }),
    async delete(name: string) {
      if (name !== 'pictures' || room.pictures === 0) return false;
      room.files += room.pictures;
      room.pictures = 0;
      return true;
    },
  });
  let installing: Promise<unknown> = Promise.resolve();
  const worker = {
    location: { href: 'https://shop.example/sw.js' },
    addEventListener(
      _type: string,
      listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
    ) {
      listener({
        waitUntil(work) {
          installing = work;
        },
      });
    },
  };
  const { keepLastVersion } = (await import(UPDATE)) as Update;
  keepLastVersion(worker, ['assets/a-2.js']);
  await installing;
  return stored;
}

test('a full device installs a new version, though it cannot keep the last version’s scripts', async () => {
  expect(await install({ files: 1, pictures: 0 })).toEqual(OLD_FILES.slice(0, 1));
});

test('pictures make room for the last version’s scripts', async () => {
  expect(await install({ files: 1, pictures: 1 })).toEqual(OLD_FILES);
});
