import { notify } from '../ui/notices.ts';

/** Gives the platform the address on show, or puts it on the clipboard where it takes none. */
export async function share(): Promise<void> {
  const { href: url } = location;
  const { title } = document;
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // Closed without sending: that is an answer.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    notify('status', 'Link copied.');
  } catch {
    notify('alert', 'The link could not be copied. This browser does not allow it.');
  }
}
