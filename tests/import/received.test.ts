/** A file that the system opens with the installed shop. */
import { expect, test, vi } from 'vitest';
import { lookForReceived, receivedStore } from '../../src/import/received.ts';
import { noticeStore } from '../../src/ui/notices.ts';

/** What the system hands over for a file that was removed meanwhile. */
class RemovedFileHandle {
  async getFile(): Promise<File> {
    throw new DOMException('no such file', 'NotFoundError');
  }
}
vi.stubGlobal('location', { href: 'https://shop.example/admin/import' });
vi.stubGlobal('console', { ...console, error: () => undefined });
vi.stubGlobal('FileSystemFileHandle', RemovedFileHandle);
vi.stubGlobal('launchQueue', {
  setConsumer(consumer: (launch: { files: readonly unknown[] }) => void) {
    consumer({ files: [new RemovedFileHandle()] });
  },
});

test('the page says that it cannot read a file that the system has opened', async () => {
  await lookForReceived();
  await expect.poll(() => noticeStore.snapshot()?.text).toContain('cannot be read');
  expect(receivedStore.snapshot()).toBe(null);
});
