/** Product files that other apps, the system or any site send to the shop. */
import { createServer } from 'node:http';
import { truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_SHARED_BYTES, SHARE_FIELD, SHARE_PATH } from '../../src/domain/share-target.ts';
import { expectAccessible } from '../browser/axe.ts';
import { waitForWorker } from '../browser/browser.ts';
import { csvFile } from '../browser/csv-file.ts';
import { listen } from '../browser/listen.ts';
import { ada, changeDevice, line, page, shop, visitBeforeEach } from './fixture.ts';
import { checkHeading, openImport } from './import-page.ts';

const CSV = 'SKC,Retail Price,Category 1,Images link\nA,1,Tee,/a.jpg\nB,2,Tee,/b.jpg\n';
const DAY_MS = 24 * 60 * 60 * 1000;

visitBeforeEach({ serviceWorkers: 'allow' });

/** Another site, whose page posts files to the shop, as an app's share sheet does. */
let elsewhere: string;
const site = createServer((request, response) => {
  const action = new URL(request.url ?? '/', 'http://elsewhere').searchParams.get('to') ?? '';
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
    <form method="post" enctype="multipart/form-data" action="${action}">
      <input type="file" name="${SHARE_FIELD}" multiple /><button>Send</button>
    </form>`);
});
beforeAll(async () => {
  elsewhere = `http://127.0.0.1:${await listen(site)}/`;
});
afterAll(() => site.close());

const fileOf = (name: string, content = CSV) => csvFile(content, name);

/** Opens the other site and sends these files, or the file at a path, from there to the shop. */
async function send(files: ReturnType<typeof csvFile>[] | string): Promise<void> {
  await page.goto(`${elsewhere}?to=${encodeURIComponent(line.url + SHARE_PATH)}`);
  await page.locator('input').setInputFiles(files);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(`${line.url}/admin/import*`, { timeout: 60_000 });
}

const offer = () => page.getByRole('region', { name: 'A file was sent here' });
const checkButton = () => offer().getByRole('button', { name: 'Check this file' });

/** The names of the files that the worker keeps. */
const keptNames = () =>
  page.evaluate(async () => {
    const names: string[] = [];
    try {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('received');
      for await (const name of folder.keys()) names.push(name);
    } catch {
      // There is no such folder.
    }
    return names;
  });

describe('a file that is shared with the shop', () => {
  beforeEach(async () => {
    await openImport();
    await waitForWorker(page);
  });

  test('is offered by name, checked when the user says so, and not kept after that', async () => {
    await send([fileOf('spring.csv')]);
    await offer().waitFor();
    expect(await offer().textContent()).toMatch(/spring\.csv, \d+ bytes/);
    await expectAccessible(page);
    expect(await checkHeading().count()).toBe(0);
    expect(await keptNames()).toEqual(['spring.csv']);

    await checkButton().focus();
    await page.keyboard.press('Enter');
    await checkHeading().waitFor();
    await expect.poll(keptNames).toEqual([]);
    expect(await offer().count()).toBe(0);
    await page.getByRole('button', { name: 'Start Import' }).click();
    await page.getByText('Import successful! Processed 2 records.').waitFor();
    await page.getByText('spring.csv by you').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test(
    'is offered without a signal too, and again after a reload until the user declines it',
    { tags: 'long' },
    async () => {
      line.down();
      await send([fileOf('spring.csv')]);
      await offer().waitFor();
      await page.reload();
      await offer().getByRole('button', { name: 'Not this file' }).click();
      await expect.poll(keptNames).toEqual([]);
      await page.reload();
      await page.getByRole('heading', { name: 'Product Data Import' }).waitFor();
      await page.getByText('Drop a CSV file here').waitFor();
      expect(await offer().count()).toBe(0);
      line.up();
    },
  );

  test(
    'takes the place of the one before it, so that posts do not fill the device',
    { tags: 'long' },
    async () => {
      for (const name of ['one.csv', 'two.csv', 'three.csv']) {
        await send([fileOf(name)]);
        await offer().waitFor();
      }
      expect(await keptNames()).toEqual(['three.csv']);
      expect(await offer().textContent()).toContain('three.csv');
    },
  );

  test('is the first if several are sent, and the page says so', { tags: 'long' }, async () => {
    await send([fileOf('one.csv'), fileOf('two.csv')]);
    await offer().getByText('This is the first; the others are not here.').waitFor();
    expect(await offer().textContent()).toContain('one.csv');
  });

  test('has a plain name, whatever it was sent as', async () => {
    await send([fileOf('<b>/prices\u202evsc.exe.csv')]);
    await offer().waitFor();
    expect(await keptNames()).toEqual([expect.stringMatching(/prices_vsc\.exe\.csv$/)]);
    expect(await offer().textContent()).toContain('prices_vsc.exe.csv, ');
    await checkButton().click();
    await checkHeading().waitFor();
  });

  test('that is not a CSV is refused like a chosen one', async () => {
    await send([
      fileOf('sheet.csv', 'PK\x03\x04\x14\x00\x06\x00[Content_Types].xml xl/workbook.xml'),
    ]);
    await checkButton().click();
    const fault = page.getByRole('alert').filter({ hasText: 'This file cannot be read' });
    await fault.filter({ hasText: 'Excel' }).waitFor();
  });

  test(
    'that is empty or missing is not offered, and the page says what to do',
    { tags: 'long' },
    async () => {
      for (const files of [[], [fileOf('empty.csv', '')]]) {
        await send(files);
        await page.getByText('What was sent here has not arrived.').waitFor();
        expect(await keptNames()).toEqual([]);
      }
    },
  );

  test(
    'of more than 300 MB is not kept; the page asks the user to choose it on the page',
    { tags: 'long' },
    async () => {
      const path = join(await mkdtemp(join(tmpdir(), 'weft-shared-')), 'huge.csv');
      writeFileSync(path, CSV);
      truncateSync(path, MAX_SHARED_BYTES); // lengthens the file; the form around it passes the limit
      await send(path);
      await page.getByText('is larger than 300 MB. Choose it below instead.').waitFor();
      expect(await keptNames()).toEqual([]);
      await expectAccessible(page);
    },
  );

  test('is not kept where the device has no room', { tags: 'long' }, async () => {
    const devtools = await page.context().newCDPSession(page);
    const limit = { origin: line.url, quotaSize: 1000 };
    await devtools.send('Storage.overrideQuotaForOrigin', limit);
    await send([fileOf('spring.csv', CSV.padEnd(20_000, '\n'))]);
    await page.getByText('This device could not keep the file that was sent here.').waitFor();
    expect(await keptNames()).toEqual([]);
  });

  test(
    'stays on offer beside the refusal of another one, which says so',
    { tags: 'long' },
    async () => {
      await send([fileOf('spring.csv')]);
      await offer().waitFor();
      await page.goto(`${line.url}/admin/import?shared=large`);
      await offer().getByText('The file named here is another one.').waitFor();
      expect(await offer().textContent()).toContain('spring.csv');
    },
  );

  test('is deleted when the user logs out', { tags: 'long' }, async () => {
    await send([fileOf('spring.csv')]);
    await offer().waitFor();
    await ada.logOut();
    await expect.poll(keptNames).toEqual([]);
    await openImport();
    expect(await offer().count()).toBe(0);
  });

  test('is deleted after a day, wherever the shop is opened next', { tags: 'long' }, async () => {
    await send([fileOf('spring.csv')]);
    await offer().waitFor();
    await page.clock.setFixedTime(Date.now() + DAY_MS - 60_000);
    await page.reload();
    await offer().waitFor();
    await page.clock.setFixedTime(Date.now() + DAY_MS + 60_000);
    await page.goto(line.url);
    await expect.poll(keptNames).toEqual([]);
  });
});

test('a file that is shared before logging in is offered after it', { tags: 'long' }, async () => {
  await ada.goto('/');
  await waitForWorker(page);
  await send([fileOf('one.csv'), fileOf('two.csv')]);
  await page.waitForURL('**/login?next=*');
  await ada.typeCredentials();
  await offer().getByText('This is the first').waitFor();
  expect(await offer().textContent()).toContain('one.csv');
});

test('where no worker is there to take a file, the host leads to the import page, which says so', async () => {
  await changeDevice({ serviceWorkers: 'block' });
  await openImport();
  await send([fileOf('spring.csv')]);
  await page.getByText('What was sent here has not arrived. Send the file again').waitFor();
  expect(await offer().count()).toBe(0);
});

test('the import page opens at an address with an unknown outcome of sharing', async () => {
  await openImport();
  for (const outcome of ['__proto__', 'constructor']) {
    await page.goto(`${line.url}/admin/import?shared=${outcome}`);
    await page.getByRole('heading', { name: 'Last import' }).waitFor();
  }
});

test('the host reads nothing of what is posted there', async () => {
  const answer = await fetch(shop.url + SHARE_PATH, {
    method: 'POST',
    body: Buffer.alloc(20_000_000),
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/admin/import?shared=missed',
  ]);
});

test('a file that the system opens with the installed shop is offered by name, through the login', async () => {
  // The queue of the launched window, which keeps a launch until the page asks for it.
  await page.addInitScript((csv) => {
    const launched = (async () => {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('from-the-desktop.csv', { create: true });
      const writable = await handle.createWritable();
      await writable.write(csv);
      await writable.close();
      const other = await root.getFileHandle('other.csv', { create: true });
      return { files: [handle, other] };
    })();
    const launchQueue = {
      setConsumer: (consumer: (launch: object) => void) => void launched.then(consumer),
    };
    Object.defineProperty(globalThis, 'launchQueue', { value: launchQueue });
  }, CSV);
  await ada.goto('/admin/import');
  await page.waitForURL('**/login?next=%2Fadmin%2Fimport');
  await ada.typeCredentials();
  await offer().waitFor();
  expect(await offer().textContent()).toContain('from-the-desktop.csv');
  await offer().getByText('This is the first; the others are not here.').waitFor();
  expect(await checkHeading().count()).toBe(0);
  await checkButton().click();
  await checkHeading().waitFor();
  await page.getByRole('button', { name: 'Start Import' }).click();
  await page.getByText('Import successful! Processed 2 records.').waitFor();
});
