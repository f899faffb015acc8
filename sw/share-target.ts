import { registerRoute } from 'workbox-routing';
import { keepReceived } from '../src/db/received-file.ts';
import {
  MAX_SHARED_BYTES,
  SHARE_FIELD,
  SHARE_PATH,
  sharedHref,
  type ShareOutcome,
} from '../src/domain/share-target.ts';

/** Keeps the file that another app shares with the shop, and redirects to the import page. */
export function takeSharedFiles(): void {
  registerRoute(
    ({ request, sameOrigin, url }) =>
      sameOrigin && request.destination === 'document' && url.pathname === SHARE_PATH,
    async ({ request }) => Response.redirect(sharedHref(await take(request)), 303),
    'POST',
  );
}

async function take(request: Request): Promise<ShareOutcome> {
  // Browsers without request streams have no share target, so this post is not from an app.
  if (!request.body) return 'missed';
  const limit = byteLimit(MAX_SHARED_BYTES);
  const { headers } = request;
  try {
    const form = await new Response(request.body.pipeThrough(limit.stream), { headers }).formData();
    const files = form.getAll(SHARE_FIELD).filter((value) => value instanceof File);
    const [file] = files;
    if (!file || file.size === 0) return 'missed';
    if (!(await keepReceived(file))) return 'unkept';
    return files.length > 1 ? 'first' : 'kept';
  } catch {
    return limit.isExceeded() ? 'large' : 'missed';
  }
}

/** A stream that fails after so many bytes, so that no site makes the worker hold more. */
function byteLimit(bytes: number) {
  let left = bytes;
  const stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new RangeError('too many bytes'));
      else controller.enqueue(chunk);
    },
  });
  return { stream, isExceeded: () => left < 0 };
}
